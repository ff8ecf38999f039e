// Any bytes as model.safetensors.index.json. What must hold: no shard lies outside the folder.
#include <cstdint>
#include <cstdlib>

#include "io/shard_index.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace nullscope;
  const auto index = io::parse_shard_index({reinterpret_cast<const char*>(data), size});
  if (!index) return 0;
  for (const std::string& shard : index->shards)
    if (shard.find_first_of("/\\") != std::string::npos || shard.starts_with('.') || shard.empty()) std::abort();
  return 0;
}
