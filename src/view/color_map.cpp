#include "view/color_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace nullscope::view {
namespace {

struct OkLch {
  double lightness, chroma, hue;  // hue in degrees
};

double linear_of(double srgb) { return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4); }
double srgb_of(double linear) { return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055; }

Rgba packed(double r, double g, double b) {
  const auto byte = [](double linear) { return static_cast<Rgba>(std::lround(255 * std::clamp(srgb_of(std::clamp(linear, 0.0, 1.0)), 0.0, 1.0))); };
  return 0xFF000000u | byte(b) << 16 | byte(g) << 8 | byte(r);
}

Rgba color_from(OkLab lab) {
  const double l = std::pow(lab.lightness + 0.3963377774 * lab.a + 0.2158037573 * lab.b, 3);
  const double m = std::pow(lab.lightness - 0.1055613458 * lab.a - 0.0638541728 * lab.b, 3);
  const double s = std::pow(lab.lightness - 0.0894841775 * lab.a - 1.2914855480 * lab.b, 3);
  return packed(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s, -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
                -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
}

OkLab lab_of(OkLch c) {
  const double radians = c.hue * std::numbers::pi / 180;
  return {c.lightness, c.chroma * std::cos(radians), c.chroma * std::sin(radians)};
}

double distance(OkLab x, OkLab y) { return std::hypot(x.lightness - y.lightness, x.a - y.a, x.b - y.b); }

// The curve t -> path(t), t in 0..1, walked at even OKLab distance.
template <class Path>
void walk(Path path, Rgba* first, int count) {
  constexpr int kFine = 4096;
  std::array<double, kFine + 1> length{};
  for (int i = 1; i <= kFine; ++i)
    length[static_cast<size_t>(i)] = length[static_cast<size_t>(i - 1)] + distance(path(double(i) / kFine), path(double(i - 1) / kFine));
  int at = 0;
  for (int i = 0; i < count; ++i) {
    const double wanted = length[kFine] * i / (count - 1);
    while (at < kFine && length[static_cast<size_t>(at)] < wanted) ++at;
    first[i] = color_from(path(double(at) / kFine));
  }
}

double between(double from, double to, double t) { return from + (to - from) * t; }

// From the background's grey to the far end of the lightness scale, hue turning on the way; the
// chroma has no corner and stays inside sRGB, since clipping would make steps uneven.
OkLab sequential_at(bool dark, double t) {
  constexpr double kPi = std::numbers::pi;
  if (dark) return lab_of({between(0.205, 0.95, t), 0.012 + 0.08 * std::sin(kPi * 0.9 * t), between(255, 108, t)});
  return lab_of({between(0.99, 0.24, t), 0.09 * std::sin(kPi * std::pow(t, 0.8)) + 0.04 * t * t, between(125, 268, t)});
}

// One arm, from the neutral middle at t = 0.
OkLab arm_at(bool dark, double hue, double t) {
  return lab_of({between(dark ? 0.215 : 0.985, dark ? 0.80 : 0.46, t), (dark ? 0.115 : 0.13) * t, hue});
}

constexpr double kBlue = 255, kOrange = 52;

Palette make_palette(bool dark) {
  Palette p{};
  walk([dark](double t) { return sequential_at(dark, t); }, p.sequential.data(), kTableSize);
  constexpr int kHalf = kTableSize / 2;
  ColorTable arm{};
  walk([dark](double t) { return arm_at(dark, kBlue, t); }, arm.data(), kHalf);
  std::copy_n(arm.begin(), kHalf, p.diverging.begin() + kHalf);
  walk([dark](double t) { return arm_at(dark, kOrange, t); }, arm.data(), kHalf);
  std::reverse_copy(arm.begin(), arm.begin() + kHalf, p.diverging.begin());
  p.not_a_number = color_from(lab_of({0.62, 0.24, 340}));
  p.absent = color_from({dark ? 0.26 : 0.94, 0, 0});
  return p;
}

}  // namespace

const Palette& palette(bool dark) {
  static const Palette kLight = make_palette(false), kDark = make_palette(true);
  return dark ? kDark : kLight;
}

float scale_position(Scale scale, float value) {
  const float part = std::sqrt(std::min(1.0f, std::abs(value) / std::max(scale.largest, 1e-30f)));
  if (!scale.is_signed) return value <= 0 ? 0 : part;
  return (1 + std::copysign(part, value)) / 2;
}

Rgba color_of(const Palette& colors, Scale scale, float value) {
  if (std::isnan(value)) return colors.not_a_number;
  const auto index = static_cast<size_t>(std::clamp(static_cast<int>(scale_position(scale, value) * (kTableSize - 1) + 0.5f), 0, kTableSize - 1));
  return (scale.is_signed ? colors.diverging : colors.sequential)[index];
}

OkLab oklab_of(Rgba color) {
  const auto channel = [color](int shift) { return linear_of((color >> shift & 255) / 255.0); };
  const double r = channel(0), g = channel(8), b = channel(16);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s, 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

}  // namespace nullscope::view
