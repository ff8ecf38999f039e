// Parallel: runs the tasks of one kernel on several threads, or on the caller's alone.
// Results never depend on the number of threads: a kernel splits its output, and each
// task computes its own part in the same order as one thread would.
#pragma once

#include <functional>
#include <memory>

namespace nullscope::nn {

class Parallel {
 public:
  // `threads` counts the caller's own; 1 starts none. Without thread support it is always 1.
  explicit Parallel(int threads);
  ~Parallel();
  Parallel(const Parallel&) = delete;
  Parallel& operator=(const Parallel&) = delete;

  int threads() const;
  // Calls task(0) .. task(count - 1), each once, and returns when all are done. One run at a
  // time: not from two threads at once, nor from inside a task.
  void run(int count, const std::function<void(int)>& task) const;

 private:
  struct Pool;
  std::unique_ptr<Pool> pool_;
};

// The same through a pointer that may be null: on the caller's thread alone.
void run_tasks(const Parallel* parallel, int count, const std::function<void(int)>& task);

}  // namespace nullscope::nn
