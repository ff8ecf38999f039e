#include "io/shard_index.h"

#include <set>

#include "io/json.h"

namespace nullscope::io {
namespace {
constexpr std::string_view kName = "model.safetensors.index.json";

bool is_plain_name(std::string_view name) {
  return !name.empty() && name.front() != '.' && name.find_first_of("/\\:") == std::string_view::npos &&
         name.ends_with(".safetensors");
}
}  // namespace

Result<ShardIndex> parse_shard_index(std::string_view json) {
  const auto parsed = parse_json(json, kName);
  if (!parsed) return std::unexpected(parsed.error());
  const nlohmann::json* map = member(*parsed, "weight_map");
  const auto* members = map ? map->get_ptr<const nlohmann::json::object_t*>() : nullptr;
  if (!members || members->empty())
    return fail(ErrorCode::kBadFormat, std::string(kName) + ": expected weight_map, an object of shard names, found " +
                                           (map ? json_excerpt(*map) : "nothing"));
  ShardIndex index;
  std::set<std::string> shards;
  for (const auto& [tensor, value] : *members) {
    const std::string* shard = as_string(&value);
    if (!shard || !is_plain_name(*shard))
      return fail(ErrorCode::kBadFormat, std::string(kName) + ": weight_map: " + tensor +
                                             ": expected the name of a .safetensors file beside it, found " +
                                             json_excerpt(value));
    index.shard_of.emplace(tensor, *shard);
    shards.insert(*shard);
  }
  index.shards.assign(shards.begin(), shards.end());
  return index;
}

}  // namespace nullscope::io
