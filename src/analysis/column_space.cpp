#include "analysis/column_space.h"

#include <algorithm>
#include <optional>

#include <Eigen/QR>
#include <Eigen/SVD>

namespace nullscope::analysis {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Svd = Eigen::BDCSVD<Eigen::MatrixXd>;

}  // namespace

ColumnSpace column_space(const Tensor<double>& matrix, double cut) {
  const auto rows = static_cast<Eigen::Index>(matrix.dim(0)), columns = static_cast<Eigen::Index>(matrix.dim(1));
  const Eigen::Map<const RowMajor> m(matrix.data(), rows, columns);
  // A tall matrix is Q R with a small R of the same singular values.
  std::optional<Eigen::HouseholderQR<Eigen::MatrixXd>> qr;
  if (rows > columns) qr.emplace(m);
  const Eigen::MatrixXd core = qr ? Eigen::MatrixXd(qr->matrixQR().topRows(columns).triangularView<Eigen::Upper>()) : Eigen::MatrixXd(m);
  const Eigen::VectorXd values = Svd(core).singularValues();
  ColumnSpace space;
  space.singular_values.assign(values.data(), values.data() + values.size());
  const double limit = cut * values(0);
  space.rank = static_cast<int>(std::count_if(values.begin(), values.end(), [limit](double s) { return s > limit; }));
  space.basis = Tensor<double>({rows, space.rank});
  Eigen::Map<RowMajor> basis(space.basis.data(), rows, space.rank);
  // Singular vectors are needed only to leave some out: else Q spans the space, or everything does.
  if (space.rank == rows) {
    basis.setIdentity();
    return space;
  }
  Eigen::MatrixXd left = Eigen::MatrixXd::Identity(rows, space.rank);
  if (space.rank < values.size()) left.topRows(core.rows()) = Svd(core, Eigen::ComputeThinU).matrixU().leftCols(space.rank);
  if (qr) left.applyOnTheLeft(qr->householderQ());
  basis = left;
  return space;
}

}  // namespace nullscope::analysis
