// Snapshots: what a live run says survives the file, and no file does harm.
#include <cmath>
#include <random>
#include <set>

#include "session/listener.h"
#include "session/snapshot.h"

using namespace nullscope;
using namespace nullscope::test;

namespace {

const TensorBundle& toy_snapshot() {
  static const Result<TensorBundle> snapshot = session::make_snapshot("toy", toy_model(), kShortText, "he ran");
  REQUIRE_MESSAGE(snapshot, snapshot.error().message);
  return *snapshot;
}

// The error of a snapshot that `damage` changed.
template <class Damage>
Error refusal(Damage damage) {
  TensorBundle snapshot = toy_snapshot();
  damage(snapshot);
  const auto messages = session::split_snapshot(snapshot, 1);
  REQUIRE_FALSE(messages.has_value());
  return messages.error();
}

void put_double(AnyTensor& tensor, double value) {
  Tensor<double> numbers = *tensor.to_double();
  numbers.data()[0] = value;
  tensor = AnyTensor::from(numbers);
}

}  // namespace

TEST_CASE("a snapshot gives the messages of the live run") {
  const std::vector<std::byte> file = io::write_bundle(toy_snapshot());
  const auto read = io::read_bundle(file, "snapshot");
  REQUIRE(read);
  const auto messages = session::split_snapshot(*read, 42);
  REQUIRE_MESSAGE(messages, messages.error().message);

  Listener live;
  live.engine.use_model("toy", toy_model());
  live.engine.submit({42, kShortText, "he ran", analysis::EffectiveVariant::kValue, std::nullopt});
  live.run();
  REQUIRE(messages->size() == live.messages.size());
  for (size_t i = 0; i < messages->size(); ++i) {
    const TensorBundle &found = (*messages)[i], &expected = live.messages[i];
    for (const auto& [key, value] : expected.metadata) {
      if (key == "milliseconds") continue;
      REQUIRE_MESSAGE(found.metadata.contains(key), expected.metadata.at("kind") << " lacks " << key);
      CHECK(found.metadata.at(key) == value);
    }
    CHECK(found.tensors.size() == expected.tensors.size());
    for (const auto& [name, tensor] : expected.tensors) {
      CHECK(find_tensor(found, name).dtype == tensor.dtype);
      check_close(name, numbers(found, name), numbers(expected, name), kHalfStorage);
    }
  }
}

TEST_CASE("a snapshot of a text that cannot be read is an error") {
  io::LoadedModel silent = toy_model();
  silent.tokenizer.reset();
  CHECK_FALSE(session::make_snapshot("toy", std::move(silent), "cat", std::nullopt).has_value());
}

TEST_CASE("every tensor and field that a snapshot needs is missed by name") {
  const std::set<std::string> optional = {"class_logits", "mlm.top10_ids", "nsp_logits"};
  for (const auto& [name, unused] : toy_snapshot().tensors) {
    if (optional.contains(name)) continue;
    CAPTURE(name);
    CHECK(refusal([&](TensorBundle& snapshot) { snapshot.tensors.erase(name); }).message.find(name) != std::string::npos);
    CHECK(refusal([&](TensorBundle& snapshot) { snapshot.tensors[name] = AnyTensor::from(Tensor<float>({1, 2, 3})); }).code == ErrorCode::kBadShape);
  }
  for (const std::string field : {"kind", "format", "config", "variant", "tokens", "mlm.top10_tokens"}) {
    CAPTURE(field);
    refusal([&](TensorBundle& snapshot) { snapshot.metadata.erase(field); });
    refusal([&](TensorBundle& snapshot) { snapshot.metadata[field] = "[1e999, {"; });
  }
}

TEST_CASE("numbers outside their range are refused") {
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, double>>{
           {"attention_probs", -0.1}, {"attention_probs", 1.1}, {"attention_probs", NAN}, {"effective_attention.value", INFINITY},
           {"effective_attention.value.singular_values", -1}, {"effective_attention.value.cut", 2},
           {"effective_attention.value.pearson", 1.5}, {"mlm.top10_probabilities", NAN}}) {
    CAPTURE(name);
    CHECK(refusal([&](TensorBundle& snapshot) { put_double(snapshot.tensors.at(name), value); }).message.find(name) != std::string::npos);
  }
  for (const auto& [name, value] : std::initializer_list<std::pair<const char*, int64_t>>{
           {"ids", -1}, {"ids", int64_t{1} << 40}, {"sequence", 2}, {"words", -2}, {"offsets", 1000000}, {"mlm.top10_ids", -5},
           {"effective_attention.value.rank", 1000}, {"effective_attention.value.rank", -1}}) {
    CAPTURE(name);
    const Error error = refusal([&](TensorBundle& snapshot) {
      Tensor<int64_t> numbers = *snapshot.tensors.at(name).to_int();
      numbers.data()[0] = value;
      snapshot.tensors.at(name) = AnyTensor::from(numbers);
    });
    CHECK(error.message.find(name) != std::string::npos);
  }
  // Pearson's coefficient of a constant map is not a number, and that is sound.
  TensorBundle snapshot = toy_snapshot();
  put_double(snapshot.tensors.at("effective_attention.value.pearson"), NAN);
  CHECK(session::split_snapshot(snapshot, 1).has_value());
}

TEST_CASE("sizes that do not fit together are refused") {
  for (const char* config : {"{}", "[]", R"({"layers": 0, "heads": 4})", R"({"layers": 3, "heads": 1000000000})",
                             R"({"layers": 2, "heads": 4})", R"({"layers": 3, "heads": "4"})", R"({"layers": 3.5, "heads": 4})"}) {
    CAPTURE(config);
    refusal([&](TensorBundle& snapshot) { snapshot.metadata["config"] = config; });
  }
  refusal([](TensorBundle& snapshot) { snapshot.metadata["tokens"] = R"(["a"])"; });
  refusal([](TensorBundle& snapshot) { snapshot.tensors["ids"] = AnyTensor::from(Tensor<int64_t>({0})); });
  CHECK(refusal([](TensorBundle& snapshot) { snapshot.metadata["format"] = "2"; }).code == ErrorCode::kUnsupported);
}

TEST_CASE("any damage to the bytes gives messages or an error") {
  const std::vector<std::byte> file = io::write_bundle(toy_snapshot());
  std::mt19937 random(11);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::byte> damaged = file;
    // The header is where a change matters most.
    const size_t reach = round % 2 ? file.size() : std::min<size_t>(file.size(), 3000);
    for (int i = 0; i < 1 + round % 3; ++i) damaged[random() % reach] = static_cast<std::byte>(random());
    if (round % 5 == 0) damaged.resize(random() % file.size());
    const auto read = io::read_bundle(damaged, "damaged");
    if (!read) continue;
    const auto messages = session::split_snapshot(*read, 1);
    if (messages) CHECK(messages->size() == 7);
    else CHECK_FALSE(messages.error().message.empty());
  }
}
