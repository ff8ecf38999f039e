// How much attention goes to [SEP], layer by layer: raw against effective, mean over heads and queries.
#pragma once

#include <vector>

#include "view/ui.h"

namespace nullscope::view {

class LayerCurvePanel {
 public:
  void draw(Ui& ui);

 private:
  void refresh(const Ui& ui, const session::Answer& answer);
  std::vector<double> raw_, effective_;  // [L], nan where nothing has landed
  uint64_t data_version_ = 0;
};

}  // namespace nullscope::view
