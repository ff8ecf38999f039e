#include "analysis/effective_attention.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <Eigen/Core>
#include <Eigen/QR>

#include "analysis/column_space.h"

namespace nullscope::analysis {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::pair<EffectiveVariant, std::string_view> kNames[] = {
    {EffectiveVariant::kValue, "value"},
    {EffectiveVariant::kValueNoBias, "value_no_bias"},
    {EffectiveVariant::kValueAndOnes, "value_and_ones"},
    {EffectiveVariant::kProjectedValue, "projected_value"},
    {EffectiveVariant::kProjectedValueNoBias, "projected_value_no_bias"}};

bool without_bias(EffectiveVariant v) { return v == EffectiveVariant::kValueNoBias || v == EffectiveVariant::kProjectedValueNoBias; }
bool projected(EffectiveVariant v) { return v == EffectiveVariant::kProjectedValue || v == EffectiveVariant::kProjectedValueNoBias; }

Tensor<double> tensor_of(const Matrix& m) {
  Tensor<double> out({m.rows(), m.cols()});
  Eigen::Map<Matrix>(out.data(), m.rows(), m.cols()) = m;
  return out;
}

// The head's slice of W_O, so that context W_O,h is its part of self_output: [D, C].
Matrix output_slice(const model::LayerWeights& layer, int head, int64_t head_size) {
  const nn::WeightView& view = layer.self_output.weight.view();
  Matrix slice(static_cast<Eigen::Index>(head_size), static_cast<Eigen::Index>(view.rows));
  std::vector<double> row(static_cast<size_t>(view.cols));
  for (Eigen::Index out = 0; out < slice.cols(); ++out) {
    nn::widen_row(view, out, row.data());
    for (Eigen::Index d = 0; d < slice.rows(); ++d) slice(d, out) = row[static_cast<size_t>(head * head_size + d)];
  }
  return slice;
}

// The variant's M as a product: M = values output, output [D, C] or absent. M itself has C
// columns, and every product with it is cheaper through the D columns of `values`.
struct VariantMatrix {
  Matrix values;  // [T, D], with ones [T, D + 1]
  std::optional<Matrix> output;

  int64_t columns() const { return output ? output->cols() : values.cols(); }
  Matrix times_output(const Matrix& rows) const { return output ? Matrix(rows * *output) : rows; }
  // [T, D] with the column space and the singular values of M: output^T = Q R, and Q^T keeps both.
  Matrix compact() const {
    if (!output) return values;
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(output->transpose());
    const Eigen::MatrixXd r = qr.matrixQR().topRows(output->rows()).triangularView<Eigen::Upper>();
    return values * r.transpose();
  }
};

template <class S>
VariantMatrix variant_matrix(const model::ForwardTrace<S>& trace, const model::BertWeights& weights, HeadIndex at, EffectiveVariant variant) {
  const Tensor<S>& value = trace.layers[static_cast<size_t>(at.layer)].value;
  const model::LayerWeights& layer = weights.layers[static_cast<size_t>(at.layer)];
  const auto tokens = static_cast<Eigen::Index>(value.dim(0)), size = static_cast<Eigen::Index>(value.dim(2));
  VariantMatrix m{Matrix(tokens, variant == EffectiveVariant::kValueAndOnes ? size + 1 : size), {}};
  std::vector<double> bias(static_cast<size_t>(value.block_size()));
  if (without_bias(variant)) nn::widen_row(layer.value.bias.view(), 0, bias.data());
  for (Eigen::Index t = 0; t < tokens; ++t)
    for (Eigen::Index d = 0; d < size; ++d) {
      const Eigen::Index channel = at.head * size + d;
      m.values(t, d) = static_cast<double>(value.block(t)[channel]) - bias[static_cast<size_t>(channel)];
    }
  if (variant == EffectiveVariant::kValueAndOnes) m.values.col(size).setOnes();
  if (projected(variant)) m.output = output_slice(layer, at.head, size);
  return m;
}

double pearson(const Matrix& a, const Matrix& b) {
  const Eigen::ArrayXXd x = a.array() - a.mean(), y = b.array() - b.mean();
  return (x * y).sum() / std::sqrt(x.square().sum() * y.square().sum());
}

}  // namespace

std::string_view effective_variant_name(EffectiveVariant variant) {
  for (const auto& [candidate, name] : kNames)
    if (candidate == variant) return name;
  return "";
}

std::optional<EffectiveVariant> effective_variant_from_name(std::string_view name) {
  for (const auto& [variant, known] : kNames)
    if (known == name) return variant;
  return std::nullopt;
}

template <class S>
Result<EffectiveAttention> effective_attention(const model::ForwardTrace<S>& trace, const model::BertWeights& weights,
                                               HeadIndex head, const EffectiveAttentionOptions& options) {
  const auto refuse = [](const char* what, int found, int limit) {
    return fail(ErrorCode::kBadIndex, std::string(what) + " " + std::to_string(found) + " is outside 0.." + std::to_string(limit - 1));
  };
  if (head.layer < 0 || head.layer >= trace.config.layers) return refuse("layer", head.layer, trace.config.layers);
  if (head.head < 0 || head.head >= trace.config.heads) return refuse("head", head.head, trace.config.heads);
  if (options.cut && !(*options.cut >= 0 && *options.cut <= 1))
    return fail(ErrorCode::kBadOption, "the cut of singular values must lie in 0..1, found " + std::to_string(*options.cut));
  const model::LayerTrace<S>& layer = trace.layers[static_cast<size_t>(head.layer)];
  if (layer.attention_probs.empty() || layer.value.empty())
    return fail(ErrorCode::kMissing, "the trace kept no attention_probs or no value of layer " + std::to_string(head.layer));

  const auto tokens = static_cast<Eigen::Index>(layer.attention_probs.dim(1));
  const Matrix probs = Eigen::Map<const Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
                           layer.attention_probs.block(head.head), tokens, tokens).template cast<double>();
  const VariantMatrix m = variant_matrix(trace, weights, head, options.variant);

  EffectiveAttention result;
  result.head = head;
  result.cut = options.cut.value_or(static_cast<double>(std::max<int64_t>(tokens, m.columns())) * static_cast<double>(std::numeric_limits<S>::epsilon()));
  ColumnSpace space = column_space(tensor_of(m.compact()), result.cut);
  result.rank = space.rank;
  result.singular_values = std::move(space.singular_values);
  // M has C columns there, and a (D+1)th singular value that is zero but for rounding.
  if (m.output && tokens > m.values.cols()) result.singular_values.push_back(0);

  const Eigen::Map<const Matrix> basis(space.basis.data(), tokens, space.rank);
  const Matrix effective = space.rank == tokens ? probs : Matrix((probs * basis) * basis.transpose());
  result.effective = tensor_of(effective);
  const Matrix kept = m.times_output(probs * m.values), lost = m.times_output((effective - probs) * m.values);
  const double largest = kept.cwiseAbs().maxCoeff(), norm = kept.norm();
  result.output_residual_max = largest > 0 ? lost.cwiseAbs().maxCoeff() / largest : 0;
  result.output_residual = norm > 0 ? lost.norm() / norm : 0;
  const Eigen::VectorXd sums = effective.rowwise().sum();
  result.row_sum.assign(sums.begin(), sums.end());
  result.pearson = pearson(probs, effective);
  return result;
}

template Result<EffectiveAttention> effective_attention(const model::ForwardTrace<float>&, const model::BertWeights&, HeadIndex, const EffectiveAttentionOptions&);
template Result<EffectiveAttention> effective_attention(const model::ForwardTrace<double>&, const model::BertWeights&, HeadIndex, const EffectiveAttentionOptions&);

}  // namespace nullscope::analysis
