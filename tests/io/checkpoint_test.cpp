// CheckpointLoader: streaming, sharing of buffers, number types.
#include "io/checkpoint.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "io/model_sources.h"
#include "io/safetensors.h"

namespace nullscope::test {
namespace {

bool lies_in(const model::Weight& weight, const io::Bytes& bytes) {
  const auto* data = static_cast<const std::byte*>(weight.view().data);
  return data >= bytes.data.get() && data < bytes.data.get() + bytes.size;
}

std::string text_of(const io::Bytes& bytes) { return std::string(bytes.text()); }

TensorBundle bundle_of(const std::string& path) {
  auto bundle = io::read_bundle(read_case(path).view(), path);
  REQUIRE(bundle.has_value());
  return std::move(*bundle);
}

// The base file with every tensor turned into `dtype`.
io::Bytes base_as(Dtype dtype) {
  TensorBundle bundle = bundle_of("weights/base.safetensors");
  for (auto& [name, tensor] : bundle.tensors)
    tensor = dtype == Dtype::kF16 ? AnyTensor::f16_from(*tensor.to_float()) : AnyTensor::from(*tensor.to_double());
  return io::copy_bytes(io::write_bundle(bundle));
}

Result<io::CheckpointLoader> load_single(const io::Bytes& bytes, io::LoadOptions options = {}) {
  auto loader = io::CheckpointLoader::start(text_of(read_case("weights/base.json")), std::nullopt, options);
  if (!loader) return loader;
  NULLSCOPE_TRY(loader->add_shard("model.safetensors", bytes));
  NULLSCOPE_TRY(loader->finish());
  return loader;
}

// A model in two shards: the second holds the tensors that `later` picks, and both hold
// `twice`, which the index gives to the first.
class TwoShards {
 public:
  template <class Later>
  TwoShards(const TensorBundle& all, Later later, const std::string& twice = {}) {
    nlohmann::json map;
    TensorBundle parts[2];
    for (const auto& [name, tensor] : all.tensors) {
      const bool second = later(name);
      parts[second].tensors[name] = tensor;
      map[name] = second ? kSecond : kFirst;
    }
    if (!twice.empty()) {
      AnyTensor wrong = all.tensors.at(twice);
      std::ranges::fill(wrong.bytes, std::byte{});
      parts[1].tensors[twice] = std::move(wrong);
    }
    index_ = nlohmann::json{{"weight_map", map}}.dump();
    for (int i = 0; i < 2; ++i) shards_[i] = io::copy_bytes(io::write_bundle(parts[i]));
  }
  io::CheckpointLoader start(const std::string& config) const {
    auto loader = io::CheckpointLoader::start(text_of(read_case("weights/" + config)), index_);
    REQUIRE(loader.has_value());
    return std::move(*loader);
  }
  void add(io::CheckpointLoader& loader, int shard) const {
    const auto status = loader.add_shard(shard == 0 ? kFirst : kSecond, shards_[shard]);
    REQUIRE_MESSAGE(status.has_value(), status.error().message);
  }

 private:
  static constexpr const char* kFirst = "model-1.safetensors";
  static constexpr const char* kSecond = "model-2.safetensors";
  std::string index_;
  io::Bytes shards_[2];
};

}  // namespace

TEST_CASE("a layer is ready when all of it is there") {
  const TwoShards shards(bundle_of("weights/base.safetensors"),
                         [](const std::string& name) { return name.ends_with("layer.0.output.dense.bias"); });
  auto loader = shards.start("base.json");
  shards.add(loader, 0);
  CHECK(loader.weights().layer_ready(1));
  CHECK_FALSE(loader.weights().layer_ready(0));
  shards.add(loader, 1);
  CHECK(loader.weights().layer_ready(0));
  CHECK(loader.finish().has_value());
}

TEST_CASE("a decoder of its own may come last") {
  const TwoShards shards(bundle_of("weights/files/W06-01.safetensors"),
                         [](const std::string& name) { return name == "cls.predictions.decoder.weight"; });
  auto loader = shards.start("configs/W06-01.json");
  shards.add(loader, 0);
  shards.add(loader, 1);
  REQUIRE(loader.finish().has_value());
  CHECK(loader.weights().mlm->decoder.weight.view().data != loader.weights().embeddings.word.view().data);
}

TEST_CASE("the index decides between two shards with the same tensor") {
  const std::string twice = "bert.embeddings.word_embeddings.weight";
  const TensorBundle all = bundle_of("weights/base.safetensors");
  const TwoShards shards(all, [](const std::string& name) { return name.starts_with("cls."); }, twice);
  for (const int first : {0, 1}) {
    auto loader = shards.start("base.json");
    shards.add(loader, first);
    shards.add(loader, 1 - first);
    REQUIRE(loader.finish().has_value());
    const AnyTensor& right = all.tensors.at(twice);
    CHECK(std::memcmp(loader.weights().embeddings.word.view().data, right.bytes.data(), right.bytes.size()) == 0);
  }
}

TEST_CASE("one parameter under two names: the same twice is fine, two values are refused") {
  for (const bool same : {true, false}) {
    TensorBundle bundle = bundle_of("weights/base.safetensors");
    AnyTensor copy = bundle.tensors.at("bert.embeddings.LayerNorm.weight");
    if (!same) copy.bytes[0] ^= std::byte{1};
    bundle.tensors["embeddings.LayerNorm.gamma"] = std::move(copy);
    const auto loader = load_single(io::copy_bytes(io::write_bundle(bundle)));
    CHECK(loader.has_value() == same);
    if (!loader) {
      CHECK(loader.error().message.find("bert.embeddings.LayerNorm.weight") != std::string::npos);
      CHECK(loader.error().message.find("embeddings.LayerNorm.gamma") != std::string::npos);
    }
  }
}

TEST_CASE("weights at odd offsets are moved to where they can be read") {
  const auto loader = load_single(read_case("weights/files/W23-05.safetensors"));
  REQUIRE(loader.has_value());
  for (const model::Weight* weight :
       {&loader->weights().embeddings.word, &loader->weights().layers[0].query.weight,
        &loader->weights().layers[1].output.bias})
    CHECK(reinterpret_cast<uintptr_t>(weight->view().data) % alignof(float) == 0);
}

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
  TensorBundle bundle = bundle_of("weights/base.safetensors");
  bundle.tensors["extra"] = AnyTensor{Dtype::kU8, {1}, {std::byte{1}}};
  bundle.tensors["bert.embeddings.position_ids"] = AnyTensor{Dtype::kU8, {1}, {std::byte{1}}};
  const auto loader = load_single(io::copy_bytes(io::write_bundle(bundle)));
  REQUIRE(loader.has_value());
  CHECK(loader->report().unused == std::vector<std::string>{"extra"});
}

}  // namespace nullscope::test
