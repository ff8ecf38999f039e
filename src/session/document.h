// Document: everything the views show and the visitor chose. Messages of the engine and
// snapshots come in by receive(); choices by select(), pin() and friends; a Request goes out
// whenever something must be computed again.
//
//   document.ask(text, pair)  ->  Request  ->  engine  ->  messages  ->  document.receive()
//
// Results of an older text stay shown until the first layer of the newest one lands, and
// stale() says so: the views dim them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/tensor_bundle.h"
#include "session/answer.h"
#include "session/messages.h"
#include "session/view_state.h"

namespace nullscope::session {

struct ModelFacts {
  std::string name;
  std::string storage;                 // "F16", ...
  std::vector<std::string> warnings;
  std::string no_mlm;                  // why there are no guesses; "" when there are
  bool live = false;                   // weights are in, not only a snapshot
};

struct Fault {
  std::string scope;    // "model", "text", "engine", "message"
  std::string message;  // one sentence
};

class Document {
 public:
  // Takes a message or a snapshot. What answers an older request is dropped silently. On
  // failure the document is as before, but for faults(), which tells it too.
  Status receive(const TensorBundle& message);

  // The newest text; the returned request goes to the engine.
  Request ask(std::string text, std::optional<std::string> pair);
  // The same text with what is now chosen.
  Request ask_again();
  int64_t newest_request() const { return newest_; }

  const std::optional<Answer>& shown() const { return shown_; }
  // Tokens of the newest text, which may have come before its first layer.
  const std::optional<Answer>& arriving() const { return arriving_; }
  bool stale() const;              // shown() answers an older request
  bool layer_stale(int layer) const;  // of the same text but other options
  bool running() const;            // the newest request is not done
  const ModelFacts& model() const { return model_; }
  void model_closed() { model_.live = false; }
  const std::optional<Fault>& fault() const { return fault_; }
  void clear_fault() { fault_.reset(); touch(); }

  const ViewState& state() const { return state_; }
  // Takes a state from a link; indices are brought into range once a text is shown.
  void restore(ViewState state);

  // Selection. Indices outside are brought to the nearest inside.
  void select_head(HeadIndex head);
  void pin(Cell cell, bool add);   // add: keep the cells that are pinned already
  void clear_pins();
  void hover(std::optional<Cell> cell);
  const std::optional<Cell>& hovered() const { return hovered_; }
  // The cell to speak of: hovered, else pinned last, else none.
  std::optional<Cell> current() const;

  void set_map(MapKind map) { state_.map = map; touch(); }
  void set_theme(Theme theme) { state_.theme = theme; touch(); }
  // True when the change needs the engine: call ask_again().
  bool set_variant(analysis::EffectiveVariant variant);
  bool set_cut(std::optional<double> cut);

  // Grows with every change that a picture could show.
  uint64_t version() const { return version_; }
  // Grows when numbers change, not for selections: what textures depend on.
  uint64_t data_version() const { return data_version_; }

 private:
  Status receive_snapshot(const TensorBundle& message);
  Status receive_about_text(const std::string& kind, const TensorBundle& message);
  Status receive_layer(const TensorBundle& message);
  void receive_model(const TensorBundle& message, bool live);
  void clamp_selection();
  void touch() { ++version_; }

  ViewState state_;
  std::optional<Cell> hovered_;
  std::optional<Answer> shown_, arriving_;
  ModelFacts model_;
  std::optional<Fault> fault_;
  int64_t newest_ = 0;
  uint64_t version_ = 1, data_version_ = 1;
};

}  // namespace nullscope::session
