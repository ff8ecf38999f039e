// What the engine says, in which order, and with which numbers.
#include "model/predictions.h"
#include "session/listener.h"

using namespace nullscope;
using namespace nullscope::test;

namespace {

const std::string kWhole = "tokens layer.0 layer.1 layer.2 heads done";

// A map of one head as the message has it.
Tensor<double> head_map(const Tensor<double>& all, int head) {
  Tensor<double> out({all.dim(1), all.dim(2)});
  std::copy_n(all.block(head), all.block_size(), out.data());
  return out;
}

}  // namespace

TEST_CASE("a request is answered by tokens, layers in order, heads, done") {
  Listener listener;
  listener.engine.use_model("toy", toy_model());
  CHECK(listener.kinds() == "model");
  CHECK(listener.only("model").metadata.at("name") == "toy");
  CHECK(listener.only("model").metadata.at("storage") == "F32");
  listener.messages.clear();

  CHECK_FALSE(listener.engine.step());
  listener.ask(7, kShortText);
  listener.run();
  CHECK(listener.kinds() == kWhole);
  for (const TensorBundle& message : listener.messages) CHECK(message.metadata.at("request") == "7");
  const TensorBundle& tokens = listener.only("tokens");
  CHECK(tokens.metadata.at("layers") == "3");
  CHECK(tokens.metadata.at("heads") == "4");
  CHECK(tokens.metadata.at("has_pair") == "0");
  CHECK(tokens.metadata.at("cut_first") == "0");
}

TEST_CASE("numbers in messages are those of the forward pass and the analysis") {
  for (const int threads : {1, 3}) {
    Listener listener(threads);
    listener.engine.use_model("toy", toy_model());
    listener.engine.submit({1, "the cat sat", "she ran", analysis::EffectiveVariant::kValueAndOnes, 1e-3});
    listener.run();
    const Tensor<int64_t> ids = integers(listener.only("tokens"), "ids"), segments = integers(listener.only("tokens"), "segments");
    const model::ModelInput input{{ids.data(), ids.data() + ids.size()}, {segments.data(), segments.data() + segments.size()}, {}};
    CHECK(input.segments.back() == 1);
    const auto trace = forward_of<float>(toy_weights(), input);
    for (int layer = 0; layer < 3; ++layer) {
      const TensorBundle& message = listener.only("layer", std::to_string(layer));
      const std::string stem = "effective_attention.value_and_ones";
      const Tensor<double> probs = numbers(message, "attention_probs"), effective = numbers(message, stem);
      for (int head = 0; head < 4; ++head) {
        const auto expected = analysis::effective_attention(trace, toy_weights(), {layer, head}, {analysis::EffectiveVariant::kValueAndOnes, 1e-3});
        REQUIRE(expected);
        check_close("effective", head_map(effective, head), expected->effective, kFloatStorage);
        CHECK(integers(message, stem + ".rank")(head) == expected->rank);
        CHECK(numbers(message, stem + ".cut")(head) == doctest::Approx(1e-3));
        CHECK(std::equal(probs.block(head), probs.block(head) + probs.block_size(),
                         trace.layers[static_cast<size_t>(layer)].attention_probs.block(head)));
      }
    }
    const model::TopPredictions top = model::top_predictions(trace.mlm_logits, 10);
    check_equal("mlm.top10_ids", integers(listener.only("heads"), "mlm.top10_ids"), top.ids);
    check_close("mlm.top10_probabilities", numbers(listener.only("heads"), "mlm.top10_probabilities"), top.probabilities, 0);
  }
}

TEST_CASE("a newer request replaces a running one, and nothing of the old one follows") {
  Listener listener;
  listener.engine.use_model("toy", toy_model());
  listener.ask(1, kShortText);
  listener.run_until("layer");
  listener.messages.clear();
  listener.ask(2, "she ran in the house.");
  listener.run();
  CHECK(listener.kinds() == kWhole);
  for (const TensorBundle& message : listener.messages) CHECK(message.metadata.at("request") == "2");

  listener.messages.clear();
  listener.ask(3, "he ran");
  listener.ask(4, "he hopes");
  listener.run();
  CHECK(listener.kinds() == kWhole);
  CHECK(listener.only("done").metadata.at("request") == "4");
}

TEST_CASE("stop drops what runs and what waits") {
  Listener listener;
  listener.engine.use_model("toy", toy_model());
  listener.ask(1, kShortText);
  listener.run_until("layer");
  listener.ask(2, "he ran");
  listener.engine.stop();
  listener.messages.clear();
  CHECK_FALSE(listener.engine.step());
  CHECK(listener.messages.empty());
  listener.ask(3, kShortText);
  listener.run();
  CHECK(listener.kinds() == kWhole);
}

TEST_CASE("a text that is too long is cut to the model's positions, and the tokens say so") {
  Listener listener;
  listener.engine.use_model("toy", toy_model());
  std::string text;
  for (int i = 0; i < 50; ++i) text += "cat ";
  listener.ask(1, text);
  listener.run();
  CHECK(integers(listener.only("tokens"), "ids").size() == 40);
  CHECK(listener.only("tokens").metadata.at("cut_first") == "12");
}

TEST_CASE("an empty text is the frame alone") {
  Listener listener;
  listener.engine.use_model("toy", toy_model());
  listener.messages.clear();
  listener.ask(1, "");
  listener.run();
  CHECK(listener.kinds() == kWhole);
  CHECK(integers(listener.only("tokens"), "ids").size() == 2);
}

TEST_CASE("what cannot be answered is an error with the request's number") {
  Listener listener;
  listener.engine.use_model("toy", toy_model());
  listener.messages.clear();
  listener.ask(5, kShortText, analysis::EffectiveVariant::kValue, 2.0);
  listener.run();
  CHECK(listener.kinds() == "tokens error");
  CHECK(listener.messages.back().metadata.at("request") == "5");
  CHECK(listener.messages.back().metadata.at("code") == "bad_option");
  CHECK(listener.messages.back().metadata.at("scope") == "text");

  listener.messages.clear();
  listener.ask(6, std::string(text::Tokenizer::kMaxTextBytes + 1, 'a'));
  listener.run();
  CHECK(listener.kinds() == "error");
  CHECK(listener.messages.back().metadata.at("code") == "too_large");

  listener.messages.clear();
  io::LoadedModel silent = toy_model();
  silent.tokenizer.reset();
  listener.engine.use_model("silent", std::move(silent));
  listener.ask(7, kShortText);
  listener.run();
  CHECK(listener.kinds() == "model error");
  CHECK(listener.messages.back().metadata.at("message").find("vocabulary") != std::string::npos);
}

TEST_CASE("another model forgets the last text") {
  Listener listener;
  listener.engine.use_model("toy", toy_model());
  listener.ask(1, kShortText);
  listener.run_until("layer");
  listener.engine.use_model("again", toy_model());
  listener.messages.clear();
  CHECK_FALSE(listener.engine.step());
  listener.ask(2, kShortText);
  listener.run();
  CHECK(listener.kinds() == kWhole);
}
