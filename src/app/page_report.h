// What the page shows in HTML, as JSON: the link's state, the status, the tokens, the guesses for
// the masks and the sentences of view/summary.h.
#pragma once

#include <string>

#include "session/document.h"

namespace nullscope::app {

// {"state", "request", "newest", "tokens": [T], "layers", "layersDone", "heads", "stale", "running",
//  "fromSnapshot", "ms", "engine", "threads", "cut", "model": {...}, "fault": {...} or null, "summary",
//  "same", "selection": {"layer", "head", "query", "key"}, "theme", "guesses": [{"position", "token",
//  "best": [[word, probability], ...]}]}
std::string report_json(const session::Document& document);

}  // namespace nullscope::app
