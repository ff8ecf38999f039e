#include "view/texture.h"

#include <cstring>

#include "imgui_internal.h"

namespace nullscope::view {

Texture::~Texture() {
  retire();
  for (auto& old : retired_)
    if (ImGui::GetCurrentContext()) ImGui::UnregisterUserTexture(old.get());
}

void Texture::retire() {
  if (!data_) return;
  data_->WantDestroyNextFrame = true;  // else the pixels would have it made again
  data_->UnusedFrames = 1;
  data_->SetStatus(data_->TexID == ImTextureID_Invalid ? ImTextureStatus_Destroyed : ImTextureStatus_WantDestroy);
  retired_.push_back(std::move(data_));
}

void Texture::set(const Picture& picture) {
  std::erase_if(retired_, [](auto& old) {
    if (old->Status != ImTextureStatus_Destroyed) return false;
    ImGui::UnregisterUserTexture(old.get());
    return true;
  });
  if (data_ && (data_->Width != picture.width || data_->Height != picture.height)) retire();
  const bool fresh = !data_;
  if (fresh) {
    data_ = std::make_unique<ImTextureData>();
    data_->Create(ImTextureFormat_RGBA32, picture.width, picture.height);
    data_->UseColors = true;
    ImGui::RegisterUserTexture(data_.get());
  }
  std::memcpy(data_->GetPixels(), picture.pixels.data(), picture.pixels.size() * sizeof(Rgba));
  if (fresh || data_->Status != ImTextureStatus_OK) return;
  const ImTextureRect all{0, 0, static_cast<unsigned short>(picture.width), static_cast<unsigned short>(picture.height)};
  data_->UpdateRect = data_->UsedRect = all;
  data_->Updates.clear();
  data_->Updates.push_back(all);
  data_->SetStatus(ImTextureStatus_WantUpdates);
}

}  // namespace nullscope::view
