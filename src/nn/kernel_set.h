// KernelSet: the inner loops of one instruction set, for one scalar. kernel_set.inc is
// compiled once for each set; everything else in nn/ calls through this table.
//
// The product is laid out so that weights are never transposed: vectors run over tokens.
//
//   yT[n, m] = sum_k w[n, k] x[m, k]
//
// x is packed once into panels of up to `max_lanes` tokens, k-major; rows of w are widened
// to S and broadcast. One tile is `tile_rows` rows of w by one panel.
#pragma once

#include <cstdint>

#include "nn/activation.h"

namespace nullscope::nn {

template <class S>
struct KernelSet {
  int64_t lanes;      // numbers in one vector
  int64_t max_lanes;  // tokens in the widest panel, a multiple of `lanes`
  int64_t tile_rows;  // rows of w in one tile

  // panel[k * width + lane] = x[lane * stride + k], zero for lane >= tokens.
  void (*pack)(const S* x, int64_t stride, int64_t tokens, int64_t depth, int64_t width, S* panel);
  // tile[row * width + lane] = sum over k of w[row * w_stride + k] panel[k * width + lane];
  // always tile_rows rows.
  void (*tile)(const S* w, int64_t w_stride, const S* panel, int64_t width, int64_t depth, S* tile);
  // y[lane * stride + row] = tile[row * width + lane] + bias[row] (bias may be null), or added
  // to what is there when `accumulate`.
  void (*store)(const S* tile, int64_t width, int64_t rows, int64_t tokens, const S* bias, bool accumulate, S* y,
                int64_t stride);
  // Halves to S, exactly.
  void (*widen_half)(const uint16_t* halves, S* out, int64_t count);
  // y = exp(x - largest) / sum of them, over one row; x and y may be the same array.
  void (*softmax_row)(const S* x, S* y, int64_t count);
  // One row of layer_norm.h; x and y may be the same array.
  void (*layer_norm_row)(const S* x, int64_t count, const S* gamma, const S* beta, double eps, S* y);
  void (*activate)(Activation activation, const S* x, S* y, int64_t count);
};

enum class InstructionSet { kBaseline, kAvx2, kAvx512 };

// The best set that this processor runs, chosen once.
InstructionSet best_instruction_set();
bool runs_here(InstructionSet set);
const char* instruction_set_name(InstructionSet set);
template <class S>
const KernelSet<S>& kernel_set(InstructionSet set);
// The set in use: the best one, unless a test forced another.
template <class S>
const KernelSet<S>& kernels();
InstructionSet instruction_set_in_use();
// For tests, on one thread: what kernels() gives from now on.
void force_instruction_set(InstructionSet set);

}  // namespace nullscope::nn
