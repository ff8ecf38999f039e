#include "app/page_report.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "view/heat_map.h"
#include "view/summary.h"

namespace nullscope::app {
namespace {

constexpr int64_t kGuessesTold = 5;
constexpr size_t kMasksTold = 8;

nlohmann::json guesses_json(const session::Answer& answer) {
  nlohmann::json list = nlohmann::json::array();
  if (!answer.guesses) return list;
  for (const int position : view::positions_of(answer, "[MASK]")) {
    if (list.size() == kMasksTold) break;
    nlohmann::json best = nlohmann::json::array();
    for (int64_t k = 0; k < std::min(kGuessesTold, answer.guesses->ids.dim(1)); ++k)
      best.push_back({answer.guesses->tokens[static_cast<size_t>(position)][static_cast<size_t>(k)], answer.guesses->probabilities(position, k)});
    list.push_back({{"position", position}, {"token", "[MASK]"}, {"best", best}});
  }
  return list;
}

}  // namespace

std::string report_json(const session::Document& document) {
  const auto& shown = document.shown();
  const auto& tokens_of = document.arriving() ? document.arriving() : shown;
  nlohmann::json out = {{"state", session::write_view_state(document.state())},
                        {"newest", document.newest_request()},
                        {"running", document.running()},
                        {"stale", document.stale()},
                        {"summary", view::summary(document)},
                        {"same", view::same_because(document)},
                        {"theme", session::theme_name(document.state().theme)},
                        {"tokens", nlohmann::json::array()},
                        {"fault", nullptr},
                        {"request", -1}};
  const session::ModelFacts& model = document.model();
  out["model"] = {{"name", model.name}, {"storage", model.storage}, {"live", model.live}, {"warnings", model.warnings}, {"noMlm", model.no_mlm}};
  if (document.fault()) out["fault"] = {{"scope", document.fault()->scope}, {"message", document.fault()->message}};
  const HeadIndex head = document.state().head;
  const auto current = document.current();
  out["selection"] = {{"layer", head.layer}, {"head", head.head}, {"query", current ? current->query : -1}, {"key", current ? current->key : -1}};
  if (tokens_of) {
    out["tokens"] = tokens_of->tokens;
    out["cut"] = tokens_of->cut_first + tokens_of->cut_second;
  }
  if (shown) {
    out["request"] = shown->request;
    out["done"] = shown->done;
    out["layers"] = shown->layers.size();
    out["layersDone"] = std::count_if(shown->layers.begin(), shown->layers.end(), [&](const auto& layer) { return layer && layer->request == shown->request; });
    out["heads"] = shown->heads;
    out["fromSnapshot"] = shown->from_snapshot;
    out["ms"] = shown->milliseconds;
    out["engine"] = shown->engine;
    out["threads"] = shown->threads;
    out["text"] = shown->text;
    out["shownTokens"] = shown->tokens;
    out["guesses"] = guesses_json(*shown);
  }
  return out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace nullscope::app
