// model.safetensors.index.json: which shard holds which tensor.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace nullscope::io {

struct ShardIndex {
  std::vector<std::string> shards;                          // in the order of their names
  std::map<std::string, std::string, std::less<>> shard_of;  // tensor -> shard
};

// Shard names that lead out of the folder are refused.
Result<ShardIndex> parse_shard_index(std::string_view json);

}  // namespace nullscope::io
