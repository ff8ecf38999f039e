// The activations that BERT-architecture configs name (hidden_act).
//
//   gelu         x Phi(x), Phi the normal distribution function (erf form)
//   gelu_tanh    x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)));  "gelu_new", "gelu_pytorch_tanh", "gelu_fast"
//   relu         max(x, 0)
//   silu         x sigmoid(x);  "silu", "swish"
//   tanh         tanh(x)
//   quick_gelu   x sigmoid(1.702 x)
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace nullscope::nn {

enum class Activation { kGelu, kGeluTanh, kRelu, kSilu, kTanh, kQuickGelu };

// Hugging Face's names, exactly as spelled there; nullopt for others.
std::optional<Activation> activation_from_name(std::string_view name);
std::string_view activation_name(Activation activation);

// y[i] = f(x[i]); x and y may be the same array. S is float or double; the float
// form is vectorised and within a few units in the last place of the double one (in the
// tails of silu and the tanh forms, as many more as the exponent is large); below 1e-36 it
// may be zero.
template <class S>
void activate(Activation activation, const S* x, S* y, int64_t count);

}  // namespace nullscope::nn
