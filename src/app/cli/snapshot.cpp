// nullscope snapshot: a finished run as one file that the page shows without weights.
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/output.h"
#include "session/default_text.h"
#include "session/snapshot.h"

namespace nullscope::app {
namespace {

struct Flags {
  ModelFlags model;
  std::string name = "BERT-Base uncased", text = session::kDefaultText, out;
  std::optional<std::string> pair;
};

int run(const Flags& flags) {
  auto loaded = load(flags.model);
  if (!loaded) return report(loaded.error());
  const auto snapshot = session::make_snapshot(flags.name, *std::move(loaded), flags.text, flags.pair);
  if (!snapshot) return report(snapshot.error());
  const Status written = write_out(flags.out, *snapshot);
  return written ? kExitOk : report(written.error());
}

}  // namespace

void add_snapshot(CLI::App& app, int& status) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("snapshot", "A finished run that the page shows without weights");
  add_model_flags(*command, flags->model);
  command->add_option("--name", flags->name, "name of the model for people")->capture_default_str();
  command->add_option("--text", flags->text, "the text; default: the page's");
  command->add_option("--pair", flags->pair, "a second text");
  command->add_option("--out", flags->out, "file to write (.safetensors)")->required()->check([](const std::string& path) {
    return path.ends_with(".safetensors") ? std::string() : "the ending of '" + path + "' must be .safetensors";
  });
  command->callback([flags, &status] { status = run(*flags); });
}

}  // namespace nullscope::app
