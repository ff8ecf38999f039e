// From the names in checkpoints to the names of weight_slots.h.
//
//   Hugging Face  prefixes bert., module., model., 0.auto_model. in any repetition;
//                 LayerNorm.gamma/beta; cls.predictions.decoder.bias is cls.predictions.bias
//   TensorFlow    (module/)(bert/)encoder/layer_0/.../kernel, [in, out]; cls/predictions/output_bias;
//                 cls/seq_relationship/output_weights; output_weights, output_bias of classifiers
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace nullscope::io {

struct TensorName {
  std::string canonical;
  bool transposed = false;  // stored [in, out]
};

// nullopt: not a parameter of a BERT model, as far as its name tells.
std::optional<TensorName> tensor_name(std::string_view in_file);

// Buffers, optimiser slots and counters: part of honest checkpoints, of no use here.
bool is_bookkeeping(std::string_view in_file);

}  // namespace nullscope::io
