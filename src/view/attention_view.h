// The Attention view: where the panels stand, for wide, middling and narrow screens.
#pragma once

#include "view/head_grid_panel.h"
#include "view/inspector_panel.h"
#include "view/layer_curve_panel.h"
#include "view/maps_panel.h"
#include "view/ui.h"

namespace nullscope::view {

class AttentionView {
 public:
  // Fills the window. Below kNarrow everything stands in one column, as high as it needs to be.
  void draw(Ui& ui);
  static constexpr float kNarrow = 760;
  // Height that one column needs; 0 when the view fits what it is given.
  float wanted_height() const { return wanted_height_; }

 private:
  void draw_columns(Ui& ui, ImVec2 size);
  void draw_column(Ui& ui, float width);

  HeadGridPanel grid_;
  MapsPanel maps_;
  LayerCurvePanel curve_;
  InspectorPanel inspector_;
  float wanted_height_ = 0;
};

}  // namespace nullscope::view
