// A forward trace as named tensors, in the names and layouts of tests/golden: sites that
// exist once a layer are stacked in axis 0, e.g. query [L, T, H, D], hidden_states [L+1, T, C].
#pragma once

#include <string>
#include <vector>

#include "core/tensor_bundle.h"
#include "model/forward_trace.h"
#include "text/encoding.h"

namespace nullscope::io {

// Every site that the trace kept.
template <class S>
TensorBundle trace_bundle(const model::ForwardTrace<S>& trace);

// ids, segments, words, sequence [T] and offsets [T, 2] (I64), with the tokens as a JSON
// list in the metadata beside cut_first and cut_second.
TensorBundle encoding_bundle(const text::Encoding& encoding);

// Blocks of one shape become one tensor with a new first axis.
template <class S>
Tensor<S> stacked(const std::vector<const Tensor<S>*>& blocks);

// A list of strings as JSON text; bytes that are not UTF-8 are replaced.
std::string json_list(const std::vector<std::string>& strings);

}  // namespace nullscope::io
