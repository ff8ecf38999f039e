// The engine's door for JavaScript. web/engine-worker.js is the only caller: it hands over
// JSON requests and the bytes of shards, calls engine_step() while that says there is work,
// and gets messages (session/messages.h, as safetensors bytes) through Module.onMessage.
#include <cstdlib>
#include <memory>
#include <string>

#include <emscripten/emscripten.h>
#include <nlohmann/json.hpp>

#include "io/json.h"
#include "io/safetensors.h"
#include "model/forward.h"
#include "session/bench.h"
#include "session/engine.h"
#include "session/warm_up.h"

namespace nullscope::app {
namespace {

// The bytes stay the engine's: JavaScript copies what it keeps.
EM_JS(void, hand_over, (const std::byte* bytes, size_t size), {
  Module["onMessage"](bytes >>> 0, size);
});

std::unique_ptr<session::Engine> engine;

void send(const TensorBundle& message) {
  const std::vector<std::byte> bytes = io::write_bundle(message);
  hand_over(bytes.data(), bytes.size());
}

void send_error(const char* scope, const std::string& request, const Error& error) {
  TensorBundle message;
  message.metadata = {{"kind", "error"}, {"scope", scope}, {"request", request},
                      {"code", std::string(error_code_name(error.code))}, {"message", error.message}};
  send(message);
}

std::optional<std::string_view> text_member(const nlohmann::json& json, std::string_view key) {
  const std::string* text = io::as_string(io::member(json, key));
  return text ? std::optional<std::string_view>(*text) : std::nullopt;
}

double number_member(const nlohmann::json& json, std::string_view key) {
  const nlohmann::json* value = io::member(json, key);
  return value && value->is_number() ? value->get<double>() : 0;
}

std::vector<int> integers_member(const nlohmann::json& json, std::string_view key) {
  std::vector<int> out;
  if (const nlohmann::json* list = io::member(json, key); list && list->is_array())
    for (const nlohmann::json& item : *list) out.push_back(item.is_number_integer() ? item.get<int>() : -1);
  return out;
}

Status begin_model(const nlohmann::json& json) {
  const io::TokenizerFiles files{text_member(json, "vocab_txt"), text_member(json, "tokenizer_json"),
                                 text_member(json, "tokenizer_config_json")};
  std::optional<text::Tokenizer> tokenizer;
  if (files.vocab_txt || files.tokenizer_json) {
    auto loaded = io::load_tokenizer(files);
    if (!loaded) return std::unexpected(std::move(loaded.error()));
    tokenizer = std::move(*loaded);
  }
  auto loader = io::CheckpointLoader::start(text_member(json, "config_json"), text_member(json, "index_json"));
  if (!loader) return std::unexpected(std::move(loader.error()));
  engine->begin_model(std::string(text_member(json, "name").value_or("model")), std::move(*loader), std::move(tokenizer));
  return {};
}

Status submit(const nlohmann::json& json) {
  session::Request request;
  request.number = static_cast<int64_t>(number_member(json, "number"));
  request.text = text_member(json, "text").value_or("");
  if (const auto pair = text_member(json, "pair")) request.pair = *pair;
  if (const auto name = text_member(json, "variant")) {
    const auto variant = analysis::effective_variant_from_name(*name);
    if (!variant) return fail(ErrorCode::kBadOption, "there is no variant called \"" + std::string(*name) + "\"");
    request.variant = *variant;
  }
  if (const nlohmann::json* cut = io::member(json, "cut"); cut && cut->is_number()) request.cut = cut->get<double>();
  engine->submit(std::move(request));
  return {};
}

Status bench(const nlohmann::json& json) {
  const auto mode = session::bench_mode_from_name(text_member(json, "mode").value_or(""));
  if (!mode) return fail(ErrorCode::kUnsupported, "no such mode");
  const model::BertWeights* weights = engine->weights();
  if (weights == nullptr) return fail(ErrorCode::kMissing, "no model is loaded");
  const auto result = session::run_bench(*weights, {integers_member(json, "ids"), integers_member(json, "segments"), {}}, *mode,
                                         static_cast<int>(number_member(json, "runs")),
                                         static_cast<int>(number_member(json, "warmup")), engine->parallel());
  if (!result) return std::unexpected(result.error());
  nlohmann::json out = {{"ms", result->milliseconds}, {"checksum", result->last_hidden_state}};
  if (result->attention_probs) out["checksum_attention"] = *result->attention_probs;
  TensorBundle message;
  message.metadata = {{"kind", "bench"}, {"result", out.dump()}};
  send(message);
  return {};
}

// Runs `use` on the JSON text; what goes wrong becomes an "error" message.
template <class Use>
bool with_json(const char* text, size_t size, const char* scope, Use use) {
  const auto json = io::parse_json({text, size}, "request");
  const Status status = json ? use(*json) : std::unexpected(json.error());
  if (!status) send_error(scope, json ? std::to_string(static_cast<int64_t>(number_member(*json, "number"))) : "", status.error());
  return status.has_value();
}

}  // namespace
}  // namespace nullscope::app

using namespace nullscope;

extern "C" {

// Once, before everything else.
EMSCRIPTEN_KEEPALIVE void engine_start(int threads) {
  app::engine = std::make_unique<session::Engine>([](TensorBundle message) { app::send(message); }, threads);

}

// {"name", "config_json", "index_json", "vocab_txt", "tokenizer_json", "tokenizer_config_json"}:
// texts of the files, each left out when there is no such file.
EMSCRIPTEN_KEEPALIVE bool engine_begin_model(const char* json, size_t size) {
  return app::with_json(json, size, "model", app::begin_model);
}

// Takes over a block from malloc that holds a whole shard.
EMSCRIPTEN_KEEPALIVE bool engine_add_shard(const char* name, size_t name_size, std::byte* bytes, size_t size) {
  io::Bytes shard{std::shared_ptr<const std::byte>(bytes, [](const std::byte* p) { std::free(const_cast<std::byte*>(p)); }), size};
  return app::engine->add_shard({name, name_size}, std::move(shard));
}

EMSCRIPTEN_KEEPALIVE bool engine_finish_model() { return app::engine->finish_model(); }

// Layers that can run, counted from the first, 0 before the embeddings are there.
EMSCRIPTEN_KEEPALIVE int engine_layers_ready() {
  const io::CheckpointLoader* loader = app::engine->loader();
  if (loader == nullptr || !loader->weights().embeddings_ready()) return 0;
  int ready = 0;
  while (loader->weights().layer_ready(ready)) ++ready;
  return ready;
}

// {"number", "text", "pair": null or text, "variant", "cut": null or number}
EMSCRIPTEN_KEEPALIVE bool engine_submit(const char* json, size_t size) {
  return app::with_json(json, size, "text", app::submit);
}

EMSCRIPTEN_KEEPALIVE void engine_stop() { app::engine->stop(); }
EMSCRIPTEN_KEEPALIVE bool engine_step() { return app::engine->step(); }

// {"ids", "segments", "mode", "runs", "warmup"}: answers with a message of kind "bench", whose
// "result" is the JSON that the benchmark harness wants.
EMSCRIPTEN_KEEPALIVE bool engine_bench(const char* json, size_t size) {
  return app::with_json(json, size, "engine", app::bench);
}

// Runs every hot loop on a toy, for the browser runs a function slowly until it was used a little.
EMSCRIPTEN_KEEPALIVE void engine_warm_up() { session::warm_up(app::engine->parallel()); }
}
