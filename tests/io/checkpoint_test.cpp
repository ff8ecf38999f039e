// CheckpointLoader: streaming, sharing of buffers, number types.
#include "io/checkpoint.h"

#include <doctest/doctest.h>

#include "io/model_sources.h"
#include "io/safetensors.h"

namespace nullscope::test {
namespace {

bool lies_in(const model::Weight& weight, const io::Bytes& bytes) {
  const auto* data = static_cast<const std::byte*>(weight.view().data);
  return data >= bytes.data.get() && data < bytes.data.get() + bytes.size;
}

std::string text_of(const io::Bytes& bytes) { return std::string(bytes.text()); }

// The base file with every tensor turned into `dtype`.
io::Bytes base_as(Dtype dtype) {
  auto bundle = io::read_bundle(read_case("weights/base.safetensors").view(), "base");
  REQUIRE(bundle.has_value());
  for (auto& [name, tensor] : bundle->tensors)
    tensor = dtype == Dtype::kF16 ? AnyTensor::f16_from(*tensor.to_float()) : AnyTensor::from(*tensor.to_double());
  return io::copy_bytes(io::write_bundle(*bundle));
}

Result<io::CheckpointLoader> load_single(const io::Bytes& bytes, io::LoadOptions options = {}) {
  auto loader = io::CheckpointLoader::start(text_of(read_case("weights/base.json")), std::nullopt, options);
  if (!loader) return loader;
  NULLSCOPE_TRY(loader->add_shard("model.safetensors", bytes));
  NULLSCOPE_TRY(loader->finish());
  return loader;
}

}  // namespace

TEST_CASE("shards in any order: layers appear as they land") {
  const FileMap files = case_files("files/W35-01/model.safetensors.index.json", "base.json");
  const std::string first = "model-00001-of-00002.safetensors", second = "model-00002-of-00002.safetensors";
  for (const bool forward : {true, false}) {
    auto loader = io::CheckpointLoader::start(files.at("config.json").text(),
                                              files.at("model.safetensors.index.json").text());
    REQUIRE(loader.has_value());
    CHECK(loader->missing_shards() == std::vector<std::string>{first, second});
    CHECK_FALSE(loader->weights().embeddings_ready());
    const std::string& early = forward ? first : second;
    const std::string& late = forward ? second : first;
    REQUIRE(loader->add_shard(early, files.at(early)).has_value());
    CHECK(loader->missing_shards() == std::vector<std::string>{late});
    CHECK(loader->weights().embeddings_ready() == forward);
    CHECK_FALSE((loader->weights().layer_ready(0) && loader->weights().layer_ready(1)));
    CHECK_FALSE(loader->finish().has_value());
    CHECK_FALSE(loader->add_shard(early, files.at(early)).has_value());  // not twice
    REQUIRE(loader->add_shard(late, files.at(late)).has_value());
    REQUIRE(loader->finish().has_value());
    CHECK(loader->weights().layer_ready(1));
    CHECK(loader->weights().mlm.has_value());
  }
}

TEST_CASE("F32 and F16 stay in the shard's buffer, the decoder is the word embedding") {
  for (const bool half : {false, true}) {
    const io::Bytes bytes = half ? base_as(Dtype::kF16) : read_case("weights/base.safetensors");
    const auto loader = load_single(bytes);
    REQUIRE(loader.has_value());
    const model::BertWeights& weights = loader->weights();
    const nn::WeightType type = half ? nn::WeightType::kF16 : nn::WeightType::kF32;
    for (const model::Weight* weight :
         {&weights.embeddings.word, &weights.layers[1].query.weight, &weights.layers[0].output_norm.gamma}) {
      CHECK(weight->view().type == type);
      CHECK(lies_in(*weight, bytes));
    }
    CHECK(weights.mlm->decoder.weight.view().data == weights.embeddings.word.view().data);
  }
}

TEST_CASE("F64 becomes F32, or stays when asked to") {
  const io::Bytes bytes = base_as(Dtype::kF64);
  for (const bool keep : {false, true}) {
    const auto loader = load_single(bytes, {.keep_double = keep});
    REQUIRE(loader.has_value());
    CHECK(loader->weights().embeddings.word.view().type == (keep ? nn::WeightType::kF64 : nn::WeightType::kF32));
  }
}

TEST_CASE("tensors that nobody needs are told") {
  auto bundle = io::read_bundle(read_case("weights/base.safetensors").view(), "base");
  REQUIRE(bundle.has_value());
  bundle->tensors["extra"] = AnyTensor{Dtype::kU8, {1}, {std::byte{1}}};
  bundle->tensors["bert.embeddings.position_ids"] = AnyTensor{Dtype::kU8, {1}, {std::byte{1}}};
  const auto loader = load_single(io::copy_bytes(io::write_bundle(*bundle)));
  REQUIRE(loader.has_value());
  CHECK(loader->report().unused == std::vector<std::string>{"extra"});
}

}  // namespace nullscope::test
