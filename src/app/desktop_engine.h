// The engine on a thread of its own: loads a folder, then answers requests with messages that
// the window's thread collects.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/tensor_bundle.h"
#include "session/messages.h"

namespace nullscope::app {

class DesktopEngine {
 public:
  // `wake` is called from the thread when there is something to collect.
  DesktopEngine(std::string folder, int threads, std::function<void()> wake);
  ~DesktopEngine();

  void submit(session::Request request);
  std::vector<TensorBundle> collect();

 private:
  void run(int threads);
  void put(TensorBundle message);

  std::string folder_;
  std::function<void()> wake_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::optional<session::Request> waiting_;
  std::vector<TensorBundle> messages_;
  bool closing_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace nullscope::app
