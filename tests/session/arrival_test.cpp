// A model that arrives shard by shard, and a trace that outlives changes of options.
#include <set>

#include "session/listener.h"

using namespace nullscope;
using namespace nullscope::test;

namespace {

struct Shard {
  std::string name;
  std::shared_ptr<std::vector<std::byte>> bytes;  // ours, so that a test can damage them later
  io::Bytes view() const { return {{bytes, bytes->data()}, bytes->size()}; }
};

struct ShardedToy {
  std::vector<Shard> shards;  // embeddings, three layers, heads
  std::string index;
};

ShardedToy sharded_toy() {
  const std::string file = read_text("golden/toy/model.safetensors");
  const auto whole = io::read_bundle(std::as_bytes(std::span(file)), "toy");
  REQUIRE(whole);
  const auto shard_name = [](const std::string& tensor) -> std::string {
    if (tensor.find("embeddings.") != std::string::npos) return "0.safetensors";
    const size_t layer = tensor.find("layer.");
    if (layer != std::string::npos) return std::string(1, static_cast<char>(tensor[layer + 6] + 1)) + ".safetensors";
    return "9.safetensors";
  };
  std::map<std::string, TensorBundle> parts;
  nlohmann::json map;
  for (const auto& [name, tensor] : whole->tensors) {
    parts[shard_name(name)].tensors[name] = tensor;
    map[name] = shard_name(name);
  }
  ShardedToy toy;
  for (const auto& [name, part] : parts)
    toy.shards.push_back({name, std::make_shared<std::vector<std::byte>>(io::write_bundle(part))});
  toy.index = nlohmann::json({{"weight_map", map}}).dump();
  REQUIRE(toy.shards.size() == 5);
  return toy;
}

void begin(Listener& listener, const ShardedToy& toy, const std::optional<std::string>& config) {
  auto loader = io::CheckpointLoader::start(config, toy.index);
  REQUIRE_MESSAGE(loader, loader.error().message);
  listener.engine.begin_model("toy", *std::move(loader), toy_model().tokenizer);
}

}  // namespace

TEST_CASE("a request runs as far as the layers that have landed") {
  const ShardedToy toy = sharded_toy();
  Listener whole;
  whole.engine.use_model("toy", toy_model());
  whole.ask(1, kShortText);
  whole.run();

  Listener listener;
  listener.ask(1, kShortText);  // before there is any model
  CHECK_FALSE(listener.engine.step());
  begin(listener, toy, read_text("golden/toy/config.json"));
  listener.run();
  CHECK(listener.kinds() == "tokens");
  const char* const expected[] = {"tokens", "tokens layer.0", "tokens layer.0 layer.1", "tokens layer.0 layer.1 layer.2",
                                  "tokens layer.0 layer.1 layer.2"};
  for (size_t i = 0; i < toy.shards.size(); ++i) {
    REQUIRE(listener.engine.add_shard(toy.shards[i].name, toy.shards[i].view()));
    listener.run();
    CHECK(listener.kinds() == expected[i]);
  }
  REQUIRE(listener.engine.finish_model());
  listener.run();
  CHECK(listener.kinds() == "tokens layer.0 layer.1 layer.2 model heads done");
  for (const std::string layer : {"0", "1", "2"})
    check_close("layer " + layer, numbers(listener.only("layer", layer), "effective_attention.value"),
                numbers(whole.only("layer", layer), "effective_attention.value"), 0);
  check_equal("guesses", integers(listener.only("heads"), "mlm.top10_ids"), integers(whole.only("heads"), "mlm.top10_ids"));
}

TEST_CASE("without a config.json a request waits until the sizes are known") {
  const ShardedToy toy = sharded_toy();
  Listener listener;
  begin(listener, toy, std::nullopt);
  listener.ask(1, kShortText);
  for (const Shard& shard : toy.shards) {
    REQUIRE(listener.engine.add_shard(shard.name, shard.view()));
    CHECK_FALSE(listener.engine.step());
  }
  CHECK(listener.messages.empty());
}

TEST_CASE("a refused shard is an error of the model, and a request is not answered any more") {
  ShardedToy toy = sharded_toy();
  Listener listener;
  begin(listener, toy, read_text("golden/toy/config.json"));
  toy.shards[1].bytes->resize(toy.shards[1].bytes->size() - 8);
  CHECK(listener.engine.add_shard(toy.shards[0].name, toy.shards[0].view()));
  CHECK_FALSE(listener.engine.add_shard(toy.shards[1].name, toy.shards[1].view()));
  CHECK(listener.kinds() == "error");
  CHECK(listener.messages.back().metadata.at("scope") == "model");
  CHECK_FALSE(listener.messages.back().metadata.contains("request"));
  listener.ask(1, kShortText);
  CHECK_FALSE(listener.engine.step());
  CHECK_FALSE(listener.engine.finish_model());
}

TEST_CASE("a missing shard is told when the model is finished") {
  const ShardedToy toy = sharded_toy();
  Listener listener;
  begin(listener, toy, read_text("golden/toy/config.json"));
  for (size_t i = 0; i + 2 < toy.shards.size(); ++i) REQUIRE(listener.engine.add_shard(toy.shards[i].name, toy.shards[i].view()));
  CHECK_FALSE(listener.engine.finish_model());
  CHECK(listener.only("error").metadata.at("message").find(toy.shards[3].name) != std::string::npos);
}

TEST_CASE("the same text with another variant or cut keeps its trace") {
  const ShardedToy toy = sharded_toy();
  Listener listener;
  begin(listener, toy, read_text("golden/toy/config.json"));
  for (const Shard& shard : toy.shards) REQUIRE(listener.engine.add_shard(shard.name, shard.view()));
  REQUIRE(listener.engine.finish_model());
  listener.ask(1, kShortText);
  listener.run();
  const Tensor<double> before = numbers(listener.only("layer", "2"), "attention_probs");

  // Whoever reads the weights now finds not-a-number: all bits of the numbers set.
  for (const Shard& shard : toy.shards)
    std::fill(shard.bytes->begin() + static_cast<std::ptrdiff_t>(shard.bytes->size() / 2), shard.bytes->end(), std::byte{0xff});
  listener.messages.clear();
  listener.ask(2, kShortText, analysis::EffectiveVariant::kValueAndOnes, 0.5);
  listener.run();
  CHECK(listener.kinds() == "tokens layer.0 layer.1 layer.2 heads done");
  check_close("attention_probs", numbers(listener.only("layer", "2"), "attention_probs"), before, 0);
  CHECK(listener.only("layer", "2").metadata.at("variant") == "value_and_ones");
  CHECK(listener.only("layer", "2").find("effective_attention.value_and_ones") != nullptr);

  listener.messages.clear();
  listener.ask(3, "she ran");
  listener.run();
  CHECK(listener.messages.back().metadata.at("code") == "not_finite");
}
