#include "session/document.h"

#include <cmath>

#include <doctest/doctest.h>

#include "support/messages.h"

using namespace nullscope;
using namespace nullscope::session;
using support::layer_message;
using support::plain_message;
using support::tokens_message;

namespace {

constexpr int kLayers = 3, kHeads = 2;
const std::vector<std::string> kTokens = {"[CLS]", "one", "two", "[SEP]"};

// A document that asked for a text and has all of its answer.
void answer(Document& document, const std::string& text, const std::vector<std::string>& tokens = kTokens) {
  const int64_t number = document.ask(text, std::nullopt).number;
  REQUIRE(document.receive(tokens_message(number, tokens, text, kLayers, kHeads)));
  for (int layer = 0; layer < kLayers; ++layer) REQUIRE(document.receive(layer_message(number, layer, static_cast<int>(tokens.size()), kHeads)));
  REQUIRE(document.receive(plain_message("done", number)));
}

}  // namespace

TEST_CASE("maps can be read as they land") {
  Document document;
  const int64_t number = document.ask("one two", std::nullopt).number;
  CHECK(document.running());
  CHECK_FALSE(document.shown());
  REQUIRE(document.receive(tokens_message(number, kTokens, "one two", kLayers, kHeads)));
  CHECK(document.arriving()->tokens == kTokens);
  REQUIRE(document.receive(layer_message(number, 1, 4, kHeads)));
  REQUIRE(document.shown());
  CHECK(document.shown()->value(MapKind::kRaw, {1, 1}, {2, 0}) == support::known_raw(1, 1, 2, 0, 4));
  CHECK(document.shown()->value(MapKind::kEffective, {1, 0}, {0, 1}) == support::known_effective(1, 0, 0, 1, 4));
  CHECK(document.shown()->value(MapKind::kNullPart, {1, 0}, {0, 1}) == doctest::Approx(0.25f));
  CHECK(std::isnan(document.shown()->value(MapKind::kRaw, {0, 0}, {0, 0})));   // not landed
  CHECK(std::isnan(document.shown()->value(MapKind::kRaw, {1, 2}, {0, 0})));   // no such head
  CHECK(std::isnan(document.shown()->value(MapKind::kRaw, {1, 0}, {0, 4})));   // no such key
  CHECK(document.running());
  REQUIRE(document.receive(plain_message("done", number)));
  CHECK_FALSE(document.running());
}

TEST_CASE("an older text's results stay, marked stale, until the new ones land") {
  Document document;
  answer(document, "one two");
  CHECK_FALSE(document.stale());
  const int64_t number = document.ask("one two three", std::nullopt).number;
  CHECK(document.stale());
  CHECK(document.layer_stale(0));
  CHECK(document.shown()->tokens == kTokens);
  const std::vector<std::string> longer = {"[CLS]", "one", "two", "three", "[SEP]"};
  REQUIRE(document.receive(tokens_message(number, longer, "one two three", kLayers, kHeads)));
  CHECK(document.stale());
  REQUIRE(document.receive(layer_message(number, 0, 5, kHeads)));
  CHECK_FALSE(document.stale());
  CHECK(document.shown()->tokens == longer);
  CHECK(document.shown()->layer(1) == nullptr);
}

TEST_CASE("what answers an older request is dropped") {
  Document document;
  const int64_t old = document.ask("one", std::nullopt).number;
  document.ask("two", std::nullopt);
  CHECK(document.receive(tokens_message(old, kTokens, "one", kLayers, kHeads)));
  CHECK_FALSE(document.arriving());
  CHECK(document.receive(layer_message(old, 0, 4, kHeads)));
  CHECK_FALSE(document.shown());
}

TEST_CASE("another variant of the same text replaces layer by layer") {
  Document document;
  answer(document, "one two");
  REQUIRE(document.set_variant(analysis::EffectiveVariant::kValueAndOnes));
  const int64_t number = document.ask_again().number;
  CHECK_FALSE(document.stale());
  CHECK(document.layer_stale(0));
  REQUIRE(document.receive(tokens_message(number, kTokens, "one two", kLayers, kHeads)));
  CHECK(document.shown()->layer(2) != nullptr);
  REQUIRE(document.receive(layer_message(number, 0, 4, kHeads, "value_and_ones")));
  CHECK_FALSE(document.layer_stale(0));
  CHECK(document.layer_stale(1));
}

TEST_CASE("a message that is not what it says is refused and leaves the document as it was") {
  Document document;
  answer(document, "one two");
  const int64_t number = document.newest_request();
  const auto refused = [&](TensorBundle message, const char* word) {
    const Status status = document.receive(message);
    REQUIRE_FALSE(status);
    CHECK(status.error().message.find(word) != std::string::npos);
    CHECK(document.fault()->scope == "message");
    CHECK(document.shown()->value(MapKind::kRaw, {0, 0}, {0, 0}) == support::known_raw(0, 0, 0, 0, 4));
  };
  refused({}, "kind");
  refused(layer_message(number, kLayers, 4, kHeads), "layer");
  refused(layer_message(number, 0, 5, kHeads), "attention_probs");
  refused(layer_message(number, 0, 4, kHeads + 1), "heads");
  refused(layer_message(number, 0, 4, kHeads, "no_such"), "variant");
  TensorBundle short_bytes = layer_message(number, 0, 4, kHeads);
  short_bytes.tensors.at("attention_probs").bytes.pop_back();
  refused(short_bytes, "bytes");
  TensorBundle bad_rank = layer_message(number, 0, 4, kHeads);
  Tensor<int64_t> rank({kHeads});
  rank(0) = 5;
  bad_rank.tensors.at("effective_attention.value.rank") = AnyTensor::from(rank);
  refused(bad_rank, "rank");
  TensorBundle bad_list = tokens_message(number, kTokens, "one two", kLayers, kHeads);
  bad_list.metadata["tokens"] = "[1, 2]";
  refused(bad_list, "tokens");
  bad_list.metadata["tokens"] = "[\"a\", \"b\"]";
  refused(bad_list, "ids");
  bad_list = tokens_message(number, kTokens, "one two", kLayers, kHeads);
  bad_list.metadata["layers"] = "99999999999999999999";
  refused(bad_list, "layers");
}

TEST_CASE("errors of the engine are told once they concern the newest text") {
  Document document;
  const int64_t old = document.ask("one", std::nullopt).number;
  const int64_t number = document.ask("two", std::nullopt).number;
  TensorBundle error = plain_message("error", old);
  error.metadata["scope"] = "text";
  error.metadata["message"] = "too long";
  CHECK(document.receive(error));
  CHECK_FALSE(document.fault());
  error.metadata["request"] = std::to_string(number);
  CHECK(document.receive(error));
  CHECK(document.fault()->message == "too long");
}

TEST_CASE("selection stays inside, Shift adds, a second click lets go") {
  Document document;
  answer(document, "one two");
  document.select_head({99, -5});
  CHECK(document.state().head == HeadIndex{kLayers - 1, 0});
  document.pin({1, 2}, false);
  document.pin({2, 3}, true);
  CHECK(document.state().pinned == std::vector<Cell>{{1, 2}, {2, 3}});
  CHECK(document.current() == Cell{2, 3});
  document.hover(Cell{0, 0});
  CHECK(document.current() == Cell{0, 0});
  document.hover(std::nullopt);
  document.pin({2, 3}, true);
  CHECK(document.state().pinned == std::vector<Cell>{{1, 2}});
  document.pin({1, 2}, false);
  CHECK(document.state().pinned.empty());
  document.pin({7, 0}, false);
  CHECK(document.state().pinned.empty());
  document.pin({3, 3}, false);
  answer(document, "one", {"[CLS]", "one", "[SEP]"});
  CHECK(document.state().pinned.empty());
}
