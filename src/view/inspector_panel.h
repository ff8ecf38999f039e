// The numbers behind the selected head: rank, what its output cannot see, how exact the maps are.
#pragma once

#include "view/ui.h"

namespace nullscope::view {

class InspectorPanel {
 public:
  void draw(Ui& ui);

 private:
  void draw_cut(Ui& ui, const session::LayerMaps& maps, int head);
  float log_cut_ = -7;       // while the slider is dragged
  bool dragging_ = false;
};

}  // namespace nullscope::view
