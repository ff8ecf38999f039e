#include "support/largest_allocation.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<size_t> largest = 0;
}

namespace nullscope::test {
void reset_largest_allocation() { largest = 0; }
size_t largest_allocation() { return largest; }
}  // namespace nullscope::test

void* operator new(size_t size) {
  largest = std::max<size_t>(largest, size);
  if (void* memory = std::malloc(std::max<size_t>(size, 1))) return memory;
  std::abort();
}
void* operator new[](size_t size) { return operator new(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
