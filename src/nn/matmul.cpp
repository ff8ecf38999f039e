#include "nn/matmul.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "nn/kernel_set.h"

namespace nullscope::nn {
namespace {

// How the tokens are cut into panels: as many of the widest as fit, then one just wide enough.
struct Panels {
  int64_t rows, lanes, widest;
  int64_t count() const { return (rows + widest - 1) / widest; }
  int64_t first(int64_t panel) const { return panel * widest; }
  int64_t tokens(int64_t panel) const { return std::min(widest, rows - first(panel)); }
  int64_t width(int64_t panel) const { return (tokens(panel) + lanes - 1) / lanes * lanes; }
  int64_t padded() const { return (count() - 1) * widest + width(count() - 1); }
};

// Rows first..first+count of w at depth begin..begin+depth as S: in place where the type is
// S already and no row has to be made up, else copied into `buffer` [count, depth].
template <class S>
const S* widened(const RowsView& w, int64_t first, int64_t count, int64_t whole, int64_t begin, int64_t depth, S* buffer,
                 int64_t& stride) {
  constexpr WeightType kSame = std::is_same_v<S, float> ? WeightType::kF32 : WeightType::kF64;
  if (w.type == kSame && count == whole) {
    stride = w.stride;
    return static_cast<const S*>(w.data) + first * w.stride + begin;
  }
  stride = depth;
  for (int64_t row = 0; row < whole; ++row) {
    S* to = buffer + row * depth;
    if (row >= count) {
      std::fill(to, to + depth, S(0));
      continue;
    }
    const int64_t at = (first + row) * w.stride + begin;
    if (w.type == WeightType::kF16)
      kernels<S>().widen_half(static_cast<const uint16_t*>(w.data) + at, to, depth);
    else if (w.type == WeightType::kF32)
      std::copy_n(static_cast<const float*>(w.data) + at, depth, to);
    else
      std::transform(static_cast<const double*>(w.data) + at, static_cast<const double*>(w.data) + at + depth, to,
                     [](double v) { return static_cast<S>(v); });
  }
  return buffer;
}

}  // namespace

template <class S>
void matmul(const S* x, int64_t x_stride, int64_t rows, int64_t depth, const RowsView& w, const S* bias, S* y,
            int64_t y_stride, const Parallel* parallel) {
  if (rows == 0) return;
  const KernelSet<S>& set = kernels<S>();
  const Panels panels{rows, set.lanes, set.max_lanes};
  std::vector<S> packed(static_cast<size_t>(panels.padded() * depth));
  // Depth block by depth block, in each the panels one after another.
  const auto panel_at = [&](int64_t panel, int64_t begin, int64_t block) {
    return packed.data() + begin * panels.padded() + panels.first(panel) * block;
  };
  for (int64_t begin = 0; begin < depth; begin += kDepthBlock) {
    const int64_t block = std::min(kDepthBlock, depth - begin);
    for (int64_t panel = 0; panel < panels.count(); ++panel)
      set.pack(x + panels.first(panel) * x_stride + begin, x_stride, panels.tokens(panel), block, panels.width(panel),
               panel_at(panel, begin, block));
  }

  const int64_t tile_rows = set.tile_rows;
  const int64_t strips = (w.rows + tile_rows - 1) / tile_rows;
  const int threads = parallel ? parallel->threads() : 1;
  const int64_t tasks = std::min<int64_t>(strips, threads == 1 ? 1 : threads * 4);
  run_tasks(parallel, static_cast<int>(tasks), [&](int task) {
    std::vector<S> buffer(static_cast<size_t>(tile_rows * std::min(depth, kDepthBlock)));
    std::vector<S> tile(static_cast<size_t>(tile_rows * set.max_lanes));
    for (int64_t strip = strips * task / tasks; strip < strips * (task + 1) / tasks; ++strip) {
      const int64_t first = strip * tile_rows, count = std::min(tile_rows, w.rows - first);
      for (int64_t begin = 0; begin < depth; begin += kDepthBlock) {
        const int64_t block = std::min(kDepthBlock, depth - begin);
        int64_t stride = 0;
        const S* strip_rows = widened(w, first, count, tile_rows, begin, block, buffer.data(), stride);
        for (int64_t panel = 0; panel < panels.count(); ++panel) {
          const int64_t width = panels.width(panel);
          set.tile(strip_rows, stride, panel_at(panel, begin, block), width, block, tile.data());
          set.store(tile.data(), width, count, panels.tokens(panel), bias ? bias + first : nullptr, begin > 0,
                    y + panels.first(panel) * y_stride + first, y_stride);
        }
      }
    }
  });
}

template void matmul(const float*, int64_t, int64_t, int64_t, const RowsView&, const float*, float*, int64_t, const Parallel*);
template void matmul(const double*, int64_t, int64_t, int64_t, const RowsView&, const double*, double*, int64_t, const Parallel*);

}  // namespace nullscope::nn
