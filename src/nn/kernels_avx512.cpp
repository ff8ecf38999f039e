// 512-bit vectors: 8 x 3 sums, 3 of x in 32 registers; w is broadcast from memory.
#define KERNEL_BYTES 64
#define KERNEL_ROWS 8
#define KERNEL_VECTORS 3
#define KERNEL_NAME(scalar) kAvx512_##scalar
#include "nn/kernel_set.inc"
