// Orthonormal basis of a matrix's column space by singular values, in double. The only file
// pair here that includes Eigen's decompositions, which are slow to compile.
#pragma once

#include <vector>

#include "core/tensor.h"

namespace nullscope::analysis {

struct ColumnSpace {
  Tensor<double> basis;                 // [rows, rank], orthonormal columns
  std::vector<double> singular_values;  // min(rows, columns), largest first
  int rank = 0;                         // singular values above cut x the largest
};

// `matrix` [rows, columns]. QR first when it is tall, then the singular values of R: the
// same numbers to rounding, several times faster. The basis is the identity when rank == rows,
// and is not aligned with singular vectors when no column is left out.
ColumnSpace column_space(const Tensor<double>& matrix, double cut);

}  // namespace nullscope::analysis
