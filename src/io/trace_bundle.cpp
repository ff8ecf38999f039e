#include "io/trace_bundle.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "core/check.h"

namespace nullscope::io {
namespace {

Tensor<int64_t> column(const std::vector<int>& values) {
  Tensor<int64_t> out({static_cast<int64_t>(values.size())});
  std::copy(values.begin(), values.end(), out.data());
  return out;
}

}  // namespace

template <class S>
Tensor<S> stacked(const std::vector<const Tensor<S>*>& blocks) {
  NULLSCOPE_CHECK(!blocks.empty());
  Shape shape = blocks.front()->shape();
  shape.insert(shape.begin(), static_cast<int64_t>(blocks.size()));
  Tensor<S> out(std::move(shape));
  S* to = out.data();
  for (const Tensor<S>* block : blocks) {
    NULLSCOPE_CHECK(block->shape() == blocks.front()->shape());
    to = std::copy(block->data(), block->data() + block->size(), to);
  }
  return out;
}

template <class S>
TensorBundle trace_bundle(const model::ForwardTrace<S>& trace) {
  TensorBundle bundle;
  for (size_t i = 0; i < model::kSiteCount; ++i) {
    const model::SiteInfo& info = model::site_info(static_cast<model::Site>(i));
    const int count = info.scope == model::SiteScope::kOnce    ? 1
                      : info.scope == model::SiteScope::kLayer ? trace.config.layers
                                                               : trace.config.layers + 1;
    std::vector<const Tensor<S>*> blocks;
    for (int index = 0; index < count; ++index) {
      const Tensor<S>* block = trace.find(info.site, index);
      if (block == nullptr || block->empty()) break;
      blocks.push_back(block);
    }
    if (static_cast<int>(blocks.size()) != count) continue;  // not kept, or no such head
    bundle.tensors.emplace(info.name, info.scope == model::SiteScope::kOnce ? AnyTensor::from(*blocks.front())
                                                                            : AnyTensor::from(stacked(blocks)));
  }
  return bundle;
}

TensorBundle encoding_bundle(const text::Encoding& encoding) {
  TensorBundle bundle;
  bundle.tensors.emplace("ids", AnyTensor::from(column(encoding.ids)));
  bundle.tensors.emplace("segments", AnyTensor::from(column(encoding.segments)));
  bundle.tensors.emplace("words", AnyTensor::from(column(encoding.words)));
  bundle.tensors.emplace("sequence", AnyTensor::from(column(encoding.sequence)));
  Tensor<int64_t> offsets({encoding.tokens_count(), 2});
  for (int i = 0; i < encoding.tokens_count(); ++i) {
    offsets(i, 0) = encoding.offsets[static_cast<size_t>(i)].begin;
    offsets(i, 1) = encoding.offsets[static_cast<size_t>(i)].end;
  }
  bundle.tensors.emplace("offsets", AnyTensor::from(offsets));
  bundle.metadata["tokens"] = json_list(encoding.tokens);
  bundle.metadata["cut_first"] = std::to_string(encoding.cut_first);
  bundle.metadata["cut_second"] = std::to_string(encoding.cut_second);
  return bundle;
}

std::string json_list(const std::vector<std::string>& strings) {
  return nlohmann::json(strings).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template Tensor<float> stacked(const std::vector<const Tensor<float>*>&);
template Tensor<double> stacked(const std::vector<const Tensor<double>*>&);
template Tensor<int64_t> stacked(const std::vector<const Tensor<int64_t>*>&);
template TensorBundle trace_bundle(const model::ForwardTrace<float>&);
template TensorBundle trace_bundle(const model::ForwardTrace<double>&);

}  // namespace nullscope::io
