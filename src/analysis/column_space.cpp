#include "analysis/column_space.h"

#include <algorithm>
#include <optional>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace nullscope::analysis {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Largest first; `a` has at least as many rows as columns. Householder reflections make it
// bidiagonal with d on the diagonal and e above it; the symmetric tridiagonal matrix with zero
// diagonal and d0 e0 d1 e1 .. beside it has the eigenvalues +-sigma (Golub and Kahan 1965).
// Eigen's own SVD makes singular vectors on its way even when none are asked for: twice
// the time at 64 columns.
Eigen::VectorXd singular_values(Eigen::MatrixXd a) {
  const Eigen::Index rows = a.rows(), columns = a.cols();
  Eigen::VectorXd beside(2 * columns - 1), workspace(std::max(rows, columns));
  for (Eigen::Index k = 0; k < columns; ++k) {
    double scale = 0;
    const Eigen::Index below = rows - k, right = columns - k - 1;
    auto column = a.col(k).tail(below);
    column.makeHouseholderInPlace(scale, beside(2 * k));
    a.bottomRightCorner(below, right).applyHouseholderOnTheLeft(column.tail(below - 1), scale, workspace.data());
    if (right == 0) break;
    auto row = a.row(k).tail(right);
    row.makeHouseholderInPlace(scale, beside(2 * k + 1));
    a.bottomRightCorner(below - 1, right).applyHouseholderOnTheRight(row.tail(right - 1).transpose(), scale, workspace.data());
  }
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(Eigen::VectorXd::Zero(2 * columns), beside, Eigen::EigenvaluesOnly);
  return solver.eigenvalues().tail(columns).reverse().cwiseMax(0.0);
}

}  // namespace

ColumnSpace column_space(const Tensor<double>& matrix, double cut) {
  const auto rows = static_cast<Eigen::Index>(matrix.dim(0)), columns = static_cast<Eigen::Index>(matrix.dim(1));
  const Eigen::Map<const RowMajor> m(matrix.data(), rows, columns);
  // A tall matrix is Q R with a small R of the same singular values.
  std::optional<Eigen::HouseholderQR<Eigen::MatrixXd>> qr;
  if (rows > columns) qr.emplace(m);
  const Eigen::MatrixXd core = qr ? Eigen::MatrixXd(qr->matrixQR().topRows(columns).triangularView<Eigen::Upper>()) : Eigen::MatrixXd(m);
  const Eigen::VectorXd values = singular_values(rows < columns ? Eigen::MatrixXd(core.transpose()) : core);
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
  if (space.rank == 0) return space;  // Eigen's reflections step outside a matrix without columns
  Eigen::MatrixXd left = Eigen::MatrixXd::Identity(rows, space.rank);
  if (space.rank < values.size()) left.topRows(core.rows()) = Eigen::BDCSVD<Eigen::MatrixXd>(core, Eigen::ComputeThinU).matrixU().leftCols(space.rank);
  if (qr) left.applyOnTheLeft(qr->householderQ());
  basis = left;
  return space;
}

}  // namespace nullscope::analysis
