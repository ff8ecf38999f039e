#include "analysis/column_space.h"

#include <algorithm>

#include <Eigen/QR>
#include <Eigen/SVD>

namespace nullscope::analysis {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Svd = Eigen::BDCSVD<Eigen::MatrixXd>;

}  // namespace

ColumnSpace column_space(const Tensor<double>& matrix, double cut) {
  const Eigen::Map<const RowMajor> m(matrix.data(), matrix.dim(0), matrix.dim(1));
  const bool tall = m.rows() > m.cols();
  Eigen::HouseholderQR<Eigen::MatrixXd> qr;
  Eigen::MatrixXd left;
  Eigen::VectorXd values;
  if (tall) {
    qr.compute(m);
    const Eigen::MatrixXd r = qr.matrixQR().topRows(m.cols()).triangularView<Eigen::Upper>();
    const Svd svd(r, Eigen::ComputeThinU);
    values = svd.singularValues();
    left = Eigen::MatrixXd::Zero(m.rows(), m.cols());
    left.topRows(m.cols()) = svd.matrixU();
    left.applyOnTheLeft(qr.householderQ());
  } else {
    const Svd svd(m, Eigen::ComputeThinU);
    values = svd.singularValues();
    left = svd.matrixU();
  }
  ColumnSpace space;
  space.singular_values.assign(values.data(), values.data() + values.size());
  const double limit = cut * values(0);
  space.rank = static_cast<int>(std::count_if(values.begin(), values.end(), [limit](double s) { return s > limit; }));
  space.basis = Tensor<double>({m.rows(), space.rank});
  Eigen::Map<RowMajor>(space.basis.data(), m.rows(), space.rank) = left.leftCols(space.rank);
  return space;
}

}  // namespace nullscope::analysis
