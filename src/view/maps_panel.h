// The selected head large: raw | effective | difference, with linked cursors.
#pragma once

#include <array>

#include "view/texture.h"
#include "view/ui.h"

namespace nullscope::view {

class MapsPanel {
 public:
  // `tall`: how much height the maps may fill; 0 when the panel may grow.
  void draw(Ui& ui, float tall);

 private:
  void refresh(const Ui& ui, const session::Answer& answer);
  void draw_map(Ui& ui, const session::Answer& answer, session::MapKind kind, float width);
  void react(Ui& ui, const session::Answer& answer, session::MapKind kind, ImVec2 corner, float side);

  std::array<Texture, 3> textures_;  // by MapKind
  std::array<Scale, 3> scales_;
  uint64_t data_version_ = 0;
  HeadIndex head_;
  bool dark_ = false;
  bool cell_under_mouse_ = false;
  double pressed_at_ = 0;  // seconds
};

}  // namespace nullscope::view
