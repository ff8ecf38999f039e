// Linear maps, the bulk of all arithmetic in BERT.
//
//   y = x W^T + b      x [rows, in], W [out, in] as stored, b [out], y [rows, out]
//
// The transpose is here and nowhere else. A few rows of W at a time are widened to S into a
// buffer that stays in the first cache; F16 weights therefore cost no second copy. One
// source for plain SIMD, relaxed SIMD (fused multiply-add), SSE2, AVX2, AVX-512 and NEON;
// natively the best set is chosen when the program runs.
//
// A row of y is the same, to the last bit, alone or in any batch and on any number of
// threads. It differs in the last places between instruction sets, since a fused
// multiply-add rounds once; plain WebAssembly SIMD gives the same everywhere.
#pragma once

#include <cstdint>
#include <string_view>

#include "nn/parallel.h"
#include "nn/weight_view.h"

namespace nullscope::nn {

// `bias` may be null. x and y must not overlap. Accumulates in S.
template <class S>
void linear(const S* x, int64_t rows, const WeightView& weight, const S* bias, S* y, const Parallel* parallel = nullptr);

// The instruction set the float kernels run with: "avx512", "avx2", "sse2", "neon",
// "wasm-simd", "wasm-relaxed-simd".
std::string_view instruction_set();

}  // namespace nullscope::nn
