// What the pieces of one forward pass share; see forward.h for the formulas.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/apply_intervention.h"
#include "model/forward.h"
#include "nn/layer_norm.h"
#include "nn/linear.h"

namespace nullscope::model {

// A vector of parameters as S: the stored numbers where the type fits, else a widened copy.
template <class S>
std::vector<S> widened(const Weight& weight) {
  std::vector<S> out(static_cast<size_t>(weight.rows() * weight.cols()));
  for (int64_t row = 0; row < weight.rows(); ++row) nn::widen_row(weight.view(), row, out.data() + row * weight.cols());
  return out;
}

template <class S>
struct PassContext {
  const BertWeights& weights;
  const Interventions& interventions;
  const TraceDetail& detail;
  const nn::Parallel* parallel;

  void intervene(Site site, int layer, Tensor<S>& numbers) const { apply_interventions(interventions, site, layer, numbers); }

  // y = x W^T + b for rows [first, first + count) of x [T, in] and y [T, out].
  void linear(const LinearWeights& w, const Tensor<S>& x, Tensor<S>& y, int64_t first, int64_t count) const {
    const int64_t in = w.weight.cols(), out = w.weight.rows();
    const std::vector<S> bias = w.bias.present() ? widened<S>(w.bias) : std::vector<S>();
    nn::linear(x.data() + first * in, count, w.weight.view(), bias.empty() ? nullptr : bias.data(), y.data() + first * out, parallel);
  }
  void layer_norm(const LayerNormWeights& w, const Tensor<S>& x, Tensor<S>& y) const {
    const int64_t channels = weights.config.hidden;
    nn::layer_norm(x.data(), x.size() / channels, channels, widened<S>(w.gamma).data(), widened<S>(w.beta).data(),
                   weights.config.layer_norm_eps, y.data());
  }
  // Frees what the trace does not keep.
  void settle(Site site, Tensor<S>& numbers) const {
    if (!detail.keeps(site)) numbers = Tensor<S>();
  }
};

// kNotFinite when a number of the tensor is infinite or not a number.
template <class S>
Status check_finite(const Tensor<S>& numbers, const std::string& where);

// The pieces, each bounded in time: false when there is no further piece.
template <class S>
void run_embeddings(const PassContext<S>& context, ForwardTrace<S>& trace);
// Pieces 0 .. block_pieces - 1 of one layer.
int block_pieces(int tokens);
template <class S>
void run_block_piece(const PassContext<S>& context, ForwardTrace<S>& trace, int layer, int piece);
// The heads: pooler, sentence and class scores, then word guesses.
template <class S>
int head_pieces(const PassContext<S>& context, const ForwardTrace<S>& trace);
template <class S>
void run_head_piece(const PassContext<S>& context, ForwardTrace<S>& trace, int piece);

}  // namespace nullscope::model
