#include "nn/parallel.h"

#include <atomic>

#if !defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__)
#define NULLSCOPE_THREADS 1
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>
#endif

namespace nullscope::nn {

#if defined(NULLSCOPE_THREADS)

struct Parallel::Pool {
  std::mutex mutex;
  std::condition_variable wake, done;
  const std::function<void(int)>* task = nullptr;
  int count = 0, running = 0;
  std::atomic<int> next = 0;
  uint64_t round = 0;
  bool stop = false;
  std::vector<std::thread> threads;

  void work() {
    for (int i = next++; i < count; i = next++) (*task)(i);
  }
  void loop() {
    uint64_t seen = 0;
    for (std::unique_lock lock(mutex);;) {
      wake.wait(lock, [&] { return stop || round != seen; });
      if (stop) return;
      seen = round;
      lock.unlock();
      work();
      lock.lock();
      if (--running == 0) done.notify_one();
    }
  }
};

Parallel::Parallel(int threads) : pool_(std::make_unique<Pool>()) {
  for (int i = 1; i < threads; ++i) pool_->threads.emplace_back([pool = pool_.get()] { pool->loop(); });
}

Parallel::~Parallel() {
  {
    const std::lock_guard lock(pool_->mutex);
    pool_->stop = true;
  }
  pool_->wake.notify_all();
  for (std::thread& thread : pool_->threads) thread.join();
}

int Parallel::threads() const { return static_cast<int>(pool_->threads.size()) + 1; }

void Parallel::run(int count, const std::function<void(int)>& task) const {
  if (pool_->threads.empty() || count < 2) {
    for (int i = 0; i < count; ++i) task(i);
    return;
  }
  {
    const std::lock_guard lock(pool_->mutex);
    pool_->task = &task;
    pool_->count = count;
    pool_->next = 0;
    pool_->running = static_cast<int>(pool_->threads.size());
    ++pool_->round;
  }
  pool_->wake.notify_all();
  pool_->work();
  std::unique_lock lock(pool_->mutex);
  pool_->done.wait(lock, [&] { return pool_->running == 0; });
}

#else

struct Parallel::Pool {};
Parallel::Parallel(int) {}
Parallel::~Parallel() = default;
int Parallel::threads() const { return 1; }
void Parallel::run(int count, const std::function<void(int)>& task) const {
  for (int i = 0; i < count; ++i) task(i);
}

#endif

void run_tasks(const Parallel* parallel, int count, const std::function<void(int)>& task) {
  if (parallel) return parallel->run(count, task);
  for (int i = 0; i < count; ++i) task(i);
}

}  // namespace nullscope::nn
