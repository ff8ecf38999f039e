// nullscope convert: any checkpoint this program reads -> a sharded folder with hashes.
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/output.h"
#include "io/convert.h"

namespace nullscope::app {
namespace {

const std::map<std::string, io::Storage> kStorages = {{"f16", io::Storage::kF16}, {"f32", io::Storage::kF32}};

struct Flags {
  ModelFlags model;
  std::string out, dtype = "f16", name, source;
};

int run(const Flags& flags) {
  const auto loaded = load(flags.model);
  if (!loaded) return report(loaded.error());
  const std::string name = flags.name.empty() ? std::filesystem::path(flags.out).lexically_normal().filename().string() : flags.name;
  const Status done = io::convert(*loaded, flags.out, {kStorages.at(flags.dtype), name, flags.source},
                                  [](std::string_view what, double fraction) {
                                    std::fprintf(stderr, "\r%3.0f %%  %-50.*s", 100 * fraction, static_cast<int>(what.size()), what.data());
                                  });
  std::fprintf(stderr, "\n");
  if (!done) return report(done.error());
  std::printf("%s\n", flags.out.c_str());
  return kExitOk;
}

}  // namespace

void add_convert(CLI::App& app, int& status) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("convert", "Checkpoint to a folder of safetensors shards with hashes");
  command->add_option("--model", flags->model.folder, "folder of a checkpoint: safetensors, sharded or not, or TensorFlow")->required();
  command->add_option("--out", flags->out, "folder to write")->required();
  command->add_option("--dtype", flags->dtype, "storage of the numbers")->capture_default_str()->check(CLI::IsMember(kStorages));
  command->add_option("--name", flags->name, "name of the model for people; default: the folder's");
  command->add_option("--source", flags->source, "where the weights came from, for people");
  command->callback([flags, &status] { status = run(*flags); });
}

}  // namespace nullscope::app
