// Any bytes as the only shard of a model, with the sound config of tests/cases and without one.
// What must hold: a model that loads has every weight, in the shapes that its config says.
#include <cstdint>
#include <cstdlib>

#include "io/checkpoint.h"
#include "io/folder.h"
#include "io/weight_slots.h"

namespace {

using namespace nullscope;

void promise(bool kept) {
  if (!kept) std::abort();
}

void check(const std::vector<io::WeightSlot>& slots) {
  for (const io::WeightSlot& slot : slots) {
    const model::Weight& weight = *slot.weight;
    promise(weight.present() && weight.cols() == slot.shape.back().size);
    promise(weight.rows() == (slot.shape.size() == 2 ? slot.shape[0].size : 1));
  }
}

void load(std::optional<std::string_view> config, const io::Bytes& bytes) {
  auto loader = io::CheckpointLoader::start(config, std::nullopt);
  promise(loader.has_value());
  auto status = loader->add_shard("model.safetensors", bytes);
  if (status) status = loader->finish();
  if (!status) {
    promise(!status.error().message.empty());
    return;
  }
  model::BertWeights weights = std::move(*loader).take();
  check(io::embedding_slots(weights.config, weights.embeddings));
  for (int layer = 0; layer < weights.config.layers; ++layer)
    check(io::layer_slots(weights.config, layer, weights.layers[static_cast<size_t>(layer)]));
  if (weights.mlm) check(io::mlm_slots(weights.config, *weights.mlm));
  if (weights.pooler) check(io::pooler_slots(weights.config, *weights.pooler));
  if (weights.nsp) check(io::nsp_slots(weights.config, *weights.nsp));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const io::Bytes config = *io::read_file(NULLSCOPE_TEST_DATA "/cases/weights/base.json");
  const io::Bytes bytes = io::copy_bytes(std::as_bytes(std::span(data, size)));
  load(config.text(), bytes);
  load(std::nullopt, bytes);
  return 0;
}
