#include "session/document.h"

#include <algorithm>
#include <cstdlib>

#include "io/json.h"
#include "session/snapshot.h"

namespace nullscope::session {
namespace {

int inside(int index, int count) { return std::clamp(index, 0, std::max(0, count - 1)); }

}  // namespace

Status Document::receive(const TensorBundle& message) {
  const std::string kind = field_text(message, "kind");
  Status status;
  if (kind == "snapshot") {
    status = receive_snapshot(message);
  } else if (kind == "model") {
    receive_model(message, true);
  } else if (kind == "error") {
    const std::string request = field_text(message, "request");
    if (request.empty() || request == "0" || request == std::to_string(newest_))
      fault_ = Fault{field_text(message, "scope"), field_text(message, "message")};
  } else if (kind == "tokens" || kind == "layer" || kind == "heads" || kind == "done") {
    status = receive_about_text(kind, message);
  } else {
    status = fail(ErrorCode::kBadFormat, "message: there is no kind called \"" + kind.substr(0, 40) + "\"");
  }
  if (!status) fault_ = Fault{"message", status.error().message};
  touch();
  return status;
}

Status Document::receive_snapshot(const TensorBundle& message) {
  const auto parts = split_snapshot(message, 0);
  if (!parts) return std::unexpected(parts.error());
  if (shown_ && !shown_->from_snapshot) return {};  // live results are better
  Document apart;
  for (const TensorBundle& part : *parts)
    if (field_text(part, "kind") != "model") NULLSCOPE_TRY(apart.receive(part));
  if (!apart.shown_) return fail(ErrorCode::kMissing, "snapshot: there are no layers");
  if (!model_.live) receive_model(parts->front(), false);
  shown_ = std::move(apart.shown_);
  shown_->from_snapshot = true;
  if (newest_ == 0 && state_.text.empty()) {
    state_.text = shown_->text;
    state_.pair = shown_->pair;
  }
  ++data_version_;
  clamp_selection();
  return {};
}

void Document::receive_model(const TensorBundle& message, bool live) {
  model_ = {field_text(message, "name"), field_text(message, "storage"), {}, field_text(message, "no_mlm"), live};
  if (const auto list = io::parse_json(field_text(message, "warnings"), "message: warnings"); list && list->is_array())
    for (const nlohmann::json& item : *list)
      if (const std::string* text = io::as_string(&item)) model_.warnings.push_back(*text);
  if (live && fault_ && fault_->scope == "model") fault_.reset();
}

Status Document::receive_about_text(const std::string& kind, const TensorBundle& message) {
  const auto request = field_number(message, "request", 0, INT64_MAX);
  if (!request) return std::unexpected(request.error());
  if (*request != newest_) return {};
  if (kind == "tokens") {
    auto answer = read_tokens(message);
    if (!answer) return std::unexpected(answer.error());
    answer->request = *request;
    // The same text with other options: what is there stays, layer by layer, until it is replaced.
    if (shown_ && shown_->ids == answer->ids && shown_->segments == answer->segments && shown_->layers.size() == answer->layers.size()) {
      answer->layers = std::move(shown_->layers);
      answer->guesses = std::move(shown_->guesses);
      shown_ = *std::move(answer);
      arriving_.reset();
      return {};
    }
    arriving_ = std::move(*answer);
    return {};
  }
  if (kind == "layer") return receive_layer(message);
  Answer* answer = arriving_ ? &*arriving_ : shown_ && shown_->request == *request ? &*shown_ : nullptr;
  if (answer == nullptr) return fail(ErrorCode::kMissing, "message: \"" + kind + "\" came before \"tokens\"");
  if (kind == "heads") {
    auto guesses = read_guesses(message, answer->token_count());
    if (!guesses) return std::unexpected(guesses.error());
    answer->guesses = std::move(*guesses);
  } else {
    answer->milliseconds = std::strtod(field_text(message, "milliseconds").c_str(), nullptr);
    answer->engine = field_text(message, "engine");
    answer->threads = std::atoi(field_text(message, "threads").c_str());
    answer->done = true;
  }
  return {};
}

Status Document::receive_layer(const TensorBundle& message) {
  Answer* answer = arriving_ ? &*arriving_ : shown_ && shown_->request == newest_ ? &*shown_ : nullptr;
  if (answer == nullptr) return fail(ErrorCode::kMissing, "message: \"layer\" came before \"tokens\"");
  const auto index = field_number(message, "layer", 0, static_cast<int64_t>(answer->layers.size()) - 1);
  if (!index) return std::unexpected(index.error());
  auto maps = read_layer(message, answer->token_count());
  if (!maps) return std::unexpected(maps.error());
  if (maps->raw.dim(0) != answer->heads)
    return fail(ErrorCode::kBadShape, "message: attention_probs: expected " + std::to_string(answer->heads) + " heads, found " + std::to_string(maps->raw.dim(0)));
  maps->request = newest_;
  maps->asked_cut = state_.cut;
  answer->layers[static_cast<size_t>(*index)] = std::move(*maps);
  if (arriving_) {
    shown_ = std::move(arriving_);
    arriving_.reset();
    clamp_selection();
  }
  if (fault_ && fault_->scope == "text") fault_.reset();
  ++data_version_;
  return {};
}

Request Document::ask(std::string text, std::optional<std::string> pair) {
  state_.text = std::move(text);
  state_.pair = std::move(pair);
  return ask_again();
}

Request Document::ask_again() {
  ++newest_;
  arriving_.reset();
  touch();
  return {newest_, state_.text, state_.pair, state_.variant, state_.cut};
}

bool Document::stale() const {
  return shown_ && shown_->request != newest_ && (shown_->text != state_.text || shown_->pair != state_.pair);
}

bool Document::layer_stale(int layer) const {
  const LayerMaps* maps = shown_ ? shown_->layer(layer) : nullptr;
  return maps != nullptr && (stale() || maps->variant != analysis::effective_variant_name(state_.variant) || maps->asked_cut != state_.cut);
}

bool Document::running() const { return newest_ != 0 && !(shown_ && shown_->request == newest_ && shown_->done); }

void Document::restore(ViewState state) {
  state_ = std::move(state);
  clamp_selection();
  touch();
}

void Document::select_head(HeadIndex head) {
  state_.head = head;
  clamp_selection();
  touch();
}

void Document::pin(Cell cell, bool add) {
  std::vector<Cell>& pinned = state_.pinned;
  const auto same = std::find(pinned.begin(), pinned.end(), cell);
  const bool was_pinned = same != pinned.end();
  if (add) {
    if (was_pinned) pinned.erase(same);
  } else {
    const bool only = was_pinned && pinned.size() == 1;
    pinned.clear();
    if (only) return touch();  // a second click lets go
  }
  if (!add || !was_pinned) pinned.push_back(cell);
  clamp_selection();
  touch();
}

void Document::clear_pins() {
  state_.pinned.clear();
  hovered_.reset();
  touch();
}

void Document::hover(std::optional<Cell> cell) {
  if (cell == hovered_) return;
  hovered_ = cell;
  touch();
}

std::optional<Cell> Document::current() const {
  if (hovered_) return hovered_;
  return state_.pinned.empty() ? std::nullopt : std::optional(state_.pinned.back());
}

bool Document::set_variant(analysis::EffectiveVariant variant) {
  if (variant == state_.variant) return false;
  state_.variant = variant;
  touch();
  return true;
}

bool Document::set_cut(std::optional<double> cut) {
  if (cut == state_.cut) return false;
  state_.cut = cut;
  touch();
  return true;
}

void Document::clamp_selection() {
  if (!shown_) return;
  state_.head.layer = inside(state_.head.layer, static_cast<int>(shown_->layers.size()));
  state_.head.head = inside(state_.head.head, shown_->heads);
  const int count = shown_->token_count();
  std::erase_if(state_.pinned, [count](Cell c) { return c.query < 0 || c.key < 0 || c.query >= count || c.key >= count; });
  if (hovered_ && (hovered_->query >= count || hovered_->key >= count)) hovered_.reset();
}

}  // namespace nullscope::session
