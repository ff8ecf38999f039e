// 256-bit vectors with fused multiply-add: 6 x 2 sums, 2 of x, 1 of w in 16 registers.
#define KERNEL_BYTES 32
#define KERNEL_ROWS 6
#define KERNEL_VECTORS 2
#define KERNEL_NAME(scalar) kAvx2_##scalar
#include "nn/kernel_set.inc"
