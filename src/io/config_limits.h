// Limits of the sizes of a model: beyond them a config is taken for damaged.
#pragma once

#include <string_view>

namespace nullscope::io {

struct SizeLimit {
  std::string_view key;  // in config.json
  int least = 1;
  int most = 1;
};

struct ConfigLimits {
  SizeLimit layers{"num_hidden_layers", 1, 1024};
  SizeLimit heads{"num_attention_heads", 1, 1024};
  SizeLimit hidden{"hidden_size", 1, 1 << 16};
  SizeLimit intermediate{"intermediate_size", 1, 1 << 18};
  SizeLimit vocabulary{"vocab_size", 1, 1 << 24};
  SizeLimit positions{"max_position_embeddings", 1, 1 << 20};
  SizeLimit segments{"type_vocab_size", 0, 1 << 16};
};
inline constexpr ConfigLimits kLimits;

}  // namespace nullscope::io
