// nullscope: the command line. Exit status 0, 1 (bad input, one sentence on standard error)
// or 2 (usage).
#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "app/cli/output.h"

int main(int argc, char** argv) {
  CLI::App app("Nullscope: what a BERT really does inside. Computes attention beside effective attention,\n"
               "token identity and every intermediate value of BERT-architecture checkpoints, offline.",
               "nullscope");
  app.set_version_flag("--version", NULLSCOPE_VERSION);
  app.require_subcommand(1);
  int status = nullscope::app::kExitOk;
  nullscope::app::add_tokenize(app, status);
  nullscope::app::add_trace(app, status);
  nullscope::app::add_attention(app, status);
  nullscope::app::add_identity(app, status);
  nullscope::app::add_convert(app, status);
  nullscope::app::add_verify(app, status);
  nullscope::app::add_bench(app, status);
  nullscope::app::add_snapshot(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? nullscope::app::kExitOk : nullscope::app::kExitUsage;
  }
  return status;
}
