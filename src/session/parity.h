// Parity: does this model, here and now, compute what it computed when we checked it?
//
// A reference is measured once, in double arithmetic, from weights whose results agree
// with an independent implementation (tests/golden), and kept in weights/reference.json, one
// for each storage of the weights (fp32, fp16). Measured values are compared with those of
// the same storage: a difference is arithmetic, not rounding of weights.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "model/forward_trace.h"
#include "model/weights.h"
#include "session/checksum.h"

namespace nullscope::session {

// One field of numbers: its projections and its root mean square.
struct FieldPrint {
  Checksum projections{};
  double rms = 0;
};

// What is measured for one input of a model.
struct TextPrint {
  model::ModelInput input;
  std::vector<FieldPrint> hidden_states;    // [L+1]
  std::vector<FieldPrint> attention_probs;  // [L]
  int mask_position = -1;                   // where the guesses below are made; -1 for none
  std::vector<int64_t> top_ids;             // [10]
  std::vector<double> top_probabilities;    // [10]
};

struct ModelPrint {
  std::string name;                   // "bert-base-uncased"
  std::string storage;                // "F32", "F16": of the linear weights
  model::BertConfig config;           // sizes only
  std::vector<double> expansion_rate; // [L], weights only
  std::vector<TextPrint> texts;
};

// "F16", "F32" or "F64": how the model keeps its linear weights.
std::string storage_of(const model::BertWeights& weights);

// Measures one input with S arithmetic.
template <class S>
Result<TextPrint> measure_text(const model::BertWeights& weights, const model::ModelInput& input, int mask_position);

// weights/reference.json as text, and back. Any bytes may come in.
std::string reference_json(const std::vector<ModelPrint>& references);
Result<std::vector<ModelPrint>> parse_reference(std::string_view json);
// The reference that was built into this program.
std::string_view built_in_reference();

// One comparison; `deviation` is relative to the reference field's rms (absolute for
// probabilities).
struct ParityItem {
  std::string what;
  double deviation = 0;
  double tolerance = 0;
  bool ok() const { return deviation <= tolerance; }
};

struct ParityReport {
  std::string reference;              // name and storage, empty when there is none for these weights
  std::string no_reference;           // why there is none
  std::vector<ParityItem> items;
  // Mean over heads and queries of row entropy / log T for the first token ids in order: 1 is
  // uniform attention, which weights that did not load give.
  double random_score = 0;
  bool looks_random() const { return random_score > 0.97; }
  bool ok() const;                    // a reference was there, and all items hold
};

// Compares float32 arithmetic on these weights with their reference. They are told by sizes,
// storage and expansion rates, which see every value and output weight: a fine-tuned
// checkpoint has none, and the report says so instead of calling it wrong.
Result<ParityReport> check_parity(const model::BertWeights& weights, const std::vector<ModelPrint>& references);

}  // namespace nullscope::session
