// The commands of `nullscope`, one file each. `add_NAME` describes the options and runs the
// command when CLI11 meets it; the exit status goes to `status`.
#pragma once

#include <CLI/CLI.hpp>

namespace nullscope::app {

void add_tokenize(CLI::App& app, int& status);
void add_trace(CLI::App& app, int& status);
void add_attention(CLI::App& app, int& status);
void add_identity(CLI::App& app, int& status);
void add_convert(CLI::App& app, int& status);
void add_verify(CLI::App& app, int& status);
void add_bench(CLI::App& app, int& status);
void add_snapshot(CLI::App& app, int& status);

}  // namespace nullscope::app
