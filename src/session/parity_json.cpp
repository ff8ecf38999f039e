// weights/reference.json: written by tests/session/make_reference.cpp, read by `verify`.
#include <nlohmann/json.hpp>

#include "session/parity.h"

namespace nullscope::session {
namespace {

using Json = nlohmann::ordered_json;

Json fields_json(const std::vector<FieldPrint>& fields) {
  Json out = Json::array();
  for (const FieldPrint& field : fields) out.push_back({{"rms", field.rms}, {"projections", field.projections}});
  return out;
}

// Reads into `out` when `json` has `key` as a list of numbers (or a number).
template <class T>
bool take(const Json& json, const char* key, std::vector<T>& out) {
  const auto it = json.find(key);
  if (it == json.end() || !it->is_array()) return false;
  for (const Json& item : *it) {
    if (!item.is_number()) return false;
    out.push_back(item.get<T>());
  }
  return true;
}

bool take(const Json& json, const char* key, int& out) {
  const auto it = json.find(key);
  if (it == json.end() || !it->is_number_integer()) return false;
  out = it->get<int>();
  return true;
}

bool take(const Json& json, const char* key, std::string& out) {
  const auto it = json.find(key);
  if (it == json.end() || !it->is_string()) return false;
  out = it->get<std::string>();
  return true;
}

bool take(const Json& json, const char* key, std::vector<FieldPrint>& out) {
  const auto it = json.find(key);
  if (it == json.end() || !it->is_array()) return false;
  for (const Json& item : *it) {
    FieldPrint field;
    std::vector<double> projections;
    if (!item.is_object() || !item.contains("rms") || !item["rms"].is_number() || !take(item, "projections", projections) ||
        projections.size() != field.projections.size())
      return false;
    field.rms = item["rms"].get<double>();
    std::copy(projections.begin(), projections.end(), field.projections.begin());
    out.push_back(field);
  }
  return true;
}

bool take_text(const Json& json, TextPrint& text) {
  return json.is_object() && take(json, "ids", text.input.ids) && take(json, "segments", text.input.segments) &&
         take(json, "hidden_states", text.hidden_states) && take(json, "attention_probs", text.attention_probs) &&
         take(json, "mask_position", text.mask_position) && take(json, "top_ids", text.top_ids) &&
         take(json, "top_probabilities", text.top_probabilities);
}

bool take_model(const Json& json, ModelPrint& print) {
  if (!json.is_object() || !take(json, "name", print.name) || !take(json, "storage", print.storage) ||
      !take(json, "layers", print.config.layers) || !take(json, "heads", print.config.heads) ||
      !take(json, "hidden", print.config.hidden) || !take(json, "intermediate", print.config.intermediate) ||
      !take(json, "vocabulary", print.config.vocabulary) || !take(json, "expansion_rate", print.expansion_rate) ||
      !json.contains("texts") || !json["texts"].is_array())
    return false;
  for (const Json& item : json["texts"])
    if (!take_text(item, print.texts.emplace_back())) return false;
  return true;
}

}  // namespace

std::string reference_json(const std::vector<ModelPrint>& references) {
  Json models = Json::array();
  for (const ModelPrint& print : references) {
    Json texts = Json::array();
    for (const TextPrint& text : print.texts)
      texts.push_back({{"ids", text.input.ids}, {"segments", text.input.segments},
                       {"hidden_states", fields_json(text.hidden_states)},
                       {"attention_probs", fields_json(text.attention_probs)},
                       {"mask_position", text.mask_position}, {"top_ids", text.top_ids},
                       {"top_probabilities", text.top_probabilities}});
    const model::BertConfig& config = print.config;
    models.push_back({{"name", print.name}, {"storage", print.storage}, {"layers", config.layers}, {"heads", config.heads},
                      {"hidden", config.hidden}, {"intermediate", config.intermediate}, {"vocabulary", config.vocabulary},
                      {"expansion_rate", print.expansion_rate}, {"texts", texts}});
  }
  return Json({{"format", 1}, {"models", models}}).dump(1) + "\n";
}

Result<std::vector<ModelPrint>> parse_reference(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("models") || !json["models"].is_array())
    return fail(ErrorCode::kBadFormat, "the reference is not a JSON object with a list \"models\"");
  std::vector<ModelPrint> models;
  for (const Json& item : json["models"])
    if (!take_model(item, models.emplace_back()))
      return fail(ErrorCode::kBadFormat, "the reference's model " + std::to_string(models.size() - 1) + " lacks a field or has one of a wrong type");
  return models;
}

}  // namespace nullscope::session
