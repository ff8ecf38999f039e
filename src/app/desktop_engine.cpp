#include "app/desktop_engine.h"

#include <filesystem>
#include <utility>

#include "io/folder.h"
#include "session/engine.h"
#include "session/message_parts.h"

namespace nullscope::app {

DesktopEngine::DesktopEngine(std::string folder, int threads, std::function<void()> wake)
    : folder_(std::move(folder)), wake_(std::move(wake)), thread_([this, threads] { run(threads); }) {}

DesktopEngine::~DesktopEngine() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void DesktopEngine::submit(session::Request request) {
  {
    const std::lock_guard lock(mutex_);
    waiting_ = std::move(request);
  }
  changed_.notify_one();
}

std::vector<TensorBundle> DesktopEngine::collect() {
  const std::lock_guard lock(mutex_);
  return std::exchange(messages_, {});
}

void DesktopEngine::put(TensorBundle message) {
  {
    const std::lock_guard lock(mutex_);
    messages_.push_back(std::move(message));
  }
  wake_();
}

void DesktopEngine::run(int threads) {
  auto model = io::load_model(io::folder_source(folder_));
  if (!model) return put(session::error_message(0, "model", model.error()));
  session::Engine engine([this](TensorBundle message) { put(std::move(message)); }, threads);
  engine.use_model(std::filesystem::path(folder_).lexically_normal().filename().string(), *std::move(model));
  bool busy = false;
  for (;;) {
    std::optional<session::Request> request;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return busy || closing_ || waiting_; });
      if (closing_) return;
      request = std::exchange(waiting_, std::nullopt);
    }
    if (request) engine.submit(*std::move(request));
    busy = engine.step();
  }
}

}  // namespace nullscope::app
