#include "session/engine.h"

#include "session/message_parts.h"
#include "session/run.h"

namespace nullscope::session {

struct Engine::State {
  Send send;
  nn::Parallel parallel;
  std::string name;
  std::optional<io::CheckpointLoader> loader;  // while a model arrives, and after
  std::optional<io::LoadedModel> model;        // a model that came whole
  std::optional<text::Tokenizer> tokenizer;
  bool complete = false;
  std::optional<Request> waiting;
  std::optional<Run> run;

  State(Send s, int threads) : send(std::move(s)), parallel(threads) {}

  const model::BertWeights* weights() const {
    if (model) return &model->weights;
    return loader ? &loader->weights() : nullptr;
  }

  void forget() {
    run.reset();  // before the weights it reads
    model.reset();
    loader.reset();
    tokenizer.reset();
    complete = false;
  }

  void refuse(const Request& request, const Error& error) { send(error_message(request.number, "text", error)); }

  void begin(Request request) {
    if (run && run->request().text == request.text && run->request().pair == request.pair) {
      run->restart(std::move(request));
      return send(tokens_message(run->request(), run->encoding(), weights()->config));
    }
    run.reset();
    if (!tokenizer)
      return refuse(request, {ErrorCode::kMissing, "this model came without a vocabulary, so a text cannot be read: add vocab.txt or tokenizer.json"});
    text::EncodeOptions options;
    options.max_length = weights()->config.positions;
    const std::optional<std::string_view> pair = request.pair ? std::optional<std::string_view>(*request.pair) : std::nullopt;
    auto encoding = tokenizer->encode(request.text, pair, options);
    if (!encoding) return refuse(request, encoding.error());
    auto started = Run::start(request, std::move(*encoding), *weights(), parallel);
    if (!started) return refuse(request, started.error());
    run.emplace(std::move(*started));
    send(tokens_message(run->request(), run->encoding(), weights()->config));
  }

  bool fail_model(const Error& error) {
    send(error_message(0, "model", error));
    forget();
    return false;
  }
};

Engine::Engine(Send send, int threads) : state_(std::make_unique<State>(std::move(send), threads)) {}
Engine::~Engine() = default;

void Engine::begin_model(std::string name, io::CheckpointLoader loader, std::optional<text::Tokenizer> tokenizer) {
  state_->forget();
  state_->name = std::move(name);
  state_->loader = std::move(loader);
  state_->tokenizer = std::move(tokenizer);
}

bool Engine::add_shard(std::string_view name, io::Bytes bytes) {
  if (!state_->loader) return false;
  const Status added = state_->loader->add_shard(name, std::move(bytes));
  return added ? true : state_->fail_model(added.error());
}

bool Engine::finish_model() {
  State& s = *state_;
  if (!s.loader) return false;
  if (const Status finished = s.loader->finish(); !finished) return s.fail_model(finished.error());
  const model::BertWeights& weights = s.loader->weights();
  if (s.tokenizer && s.tokenizer->vocabulary().size() > weights.config.vocabulary)
    return s.fail_model({ErrorCode::kBadShape, "the vocabulary has " + std::to_string(s.tokenizer->vocabulary().size()) +
                                                   " pieces, the word embedding only " + std::to_string(weights.config.vocabulary) + " rows"});
  s.complete = true;
  s.send(model_message(s.name, weights, s.loader->report(), s.tokenizer.has_value()));
  return true;
}

const io::CheckpointLoader* Engine::loader() const { return state_->loader ? &*state_->loader : nullptr; }

void Engine::use_model(std::string name, io::LoadedModel model) {
  state_->forget();
  state_->name = std::move(name);
  state_->model = std::move(model);
  state_->tokenizer = state_->model->tokenizer;
  state_->complete = true;
  state_->send(model_message(state_->name, state_->model->weights, state_->model->report, state_->tokenizer.has_value()));
}

void Engine::submit(Request request) { state_->waiting = std::move(request); }

void Engine::stop() {
  state_->waiting.reset();
  state_->run.reset();
}

const model::BertWeights* Engine::weights() const { return state_->complete ? state_->weights() : nullptr; }
const nn::Parallel& Engine::parallel() const { return state_->parallel; }

bool Engine::step() {
  State& s = *state_;
  // Without a config.json the sizes are known only when the whole model is there.
  if (s.waiting && s.weights() != nullptr && !s.weights()->layers.empty()) {
    Request request = *std::move(s.waiting);
    s.waiting.reset();
    s.begin(std::move(request));
    return true;
  }
  if (!s.run || !s.run->can_step()) return false;
  auto messages = s.run->step(s.tokenizer->vocabulary());
  if (!messages) {
    s.refuse(s.run->request(), messages.error());
    s.run.reset();
    return true;
  }
  for (TensorBundle& message : *messages) s.send(std::move(message));
  return true;
}

}  // namespace nullscope::session
