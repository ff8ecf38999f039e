// Texture: a picture on the graphics card, sent again only when it changes.
#pragma once

#include <memory>
#include <vector>

#include "imgui.h"
#include "view/heat_map.h"

namespace nullscope::view {

class Texture {
 public:
  Texture() = default;
  ~Texture();
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;

  void set(const Picture& picture);
  bool empty() const { return !data_; }
  ImTextureRef ref() const { return data_->GetTexRef(); }

 private:
  void retire();
  std::unique_ptr<ImTextureData> data_;
  std::vector<std::unique_ptr<ImTextureData>> retired_;  // until the card has let go of them
};

}  // namespace nullscope::view
