// Every head as a thumbnail: layers down, heads across, one texture.
#pragma once

#include "view/texture.h"
#include "view/ui.h"

namespace nullscope::view {

class HeadGridPanel {
 public:
  void draw(Ui& ui);

 private:
  void refresh(const Ui& ui, const session::Answer& answer);
  Texture texture_;
  uint64_t data_version_ = 0;
  session::MapKind map_ = session::MapKind::kRaw;
  bool dark_ = false;
};

}  // namespace nullscope::view
