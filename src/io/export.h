// Bundles as text and for numpy.
//   JSON  {"meta": {...}, "tensors": {"name": {"dtype": "F32", "shape": [2, 3], "data": [...]}}},
//         data row-major; numbers that are not finite are null
//   CSV   header tensor,i,j,k,l,value; one line a number, unused index columns empty
//   NPZ   a zip of NAME.npy (native programs only); F16 stays half, BF16 becomes F32
#pragma once

#include <filesystem>
#include <string>

#include "core/result.h"
#include "core/tensor_bundle.h"

namespace nullscope::io {

Result<std::string> bundle_json(const TensorBundle& bundle);
// kBadShape for a tensor with more than four axes.
Result<std::string> bundle_csv(const TensorBundle& bundle);
Status write_npz(const std::filesystem::path& path, const TensorBundle& bundle);

}  // namespace nullscope::io
