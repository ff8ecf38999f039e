#include "nn/activation.h"

#include <utility>

#include "nn/kernel_set.h"

namespace nullscope::nn {
namespace {

// The first name of each activation is the one written into configs.
constexpr std::pair<std::string_view, Activation> kNames[] = {
    {"gelu", Activation::kGelu},          {"gelu_new", Activation::kGeluTanh}, {"gelu_pytorch_tanh", Activation::kGeluTanh},
    {"gelu_fast", Activation::kGeluTanh}, {"relu", Activation::kRelu},         {"silu", Activation::kSilu},
    {"swish", Activation::kSilu},         {"tanh", Activation::kTanh},         {"quick_gelu", Activation::kQuickGelu}};

}  // namespace

std::optional<Activation> activation_from_name(std::string_view name) {
  for (const auto& [known, activation] : kNames)
    if (known == name) return activation;
  return std::nullopt;
}

std::string_view activation_name(Activation activation) {
  for (const auto& [known, candidate] : kNames)
    if (candidate == activation) return known;
  return "";
}

template <class S>
void activate(Activation activation, const S* x, S* y, int64_t count) {
  kernels<S>().activate(activation, x, y, count);
}

template void activate(Activation, const float*, float*, int64_t);
template void activate(Activation, const double*, double*, int64_t);

}  // namespace nullscope::nn
