// 128-bit vectors: SSE2, NEON, plain and relaxed WebAssembly SIMD. Six rows fill the 15
// registers that browsers leave when multiply-add is one instruction; else one is needed
// for the product, and four rows fit.
#define KERNEL_BYTES 16
#if defined(__wasm_relaxed_simd__) || defined(__aarch64__)
#define KERNEL_ROWS 6
#else
#define KERNEL_ROWS 4
#endif
#define KERNEL_VECTORS 2
#define KERNEL_NAME(scalar) kBaseline_##scalar
#include "nn/kernel_set.inc"
