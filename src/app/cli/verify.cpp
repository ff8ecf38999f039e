// nullscope verify: does this folder compute what the reference computed, here and now?
#include <cstdio>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/output.h"
#include "io/folder.h"
#include "nn/linear.h"
#include "session/parity.h"

namespace nullscope::app {
namespace {

struct Flags {
  ModelFlags model;
  std::string reference;
  bool json = false;
};

nlohmann::ordered_json summary_of(const session::ParityReport& parity) {
  nlohmann::ordered_json summary = {{"reference", parity.reference.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(parity.reference)},
                                    {"ok", parity.reference.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(parity.ok())},
                                    {"looks_random", parity.looks_random()}, {"random_score", parity.random_score},
                                    {"instruction_set", nn::instruction_set()}};
  if (!parity.no_reference.empty()) summary["no_reference"] = parity.no_reference;
  for (const session::ParityItem& item : parity.items)
    summary["items"].push_back({{"what", item.what}, {"deviation", json_number(item.deviation)}, {"tolerance", item.tolerance}, {"ok", item.ok()}});
  return summary;
}

void print(const session::ParityReport& parity) {
  if (parity.reference.empty())
    std::printf("Nothing to compare with: %s.\n", parity.no_reference.c_str());
  else
    std::printf("Compared with the reference of %s (%s):\n", parity.reference.c_str(), std::string(nn::instruction_set()).c_str());
  for (const session::ParityItem& item : parity.items)
    std::printf("  %-4s %-55s %9.1e  (tolerance %.0e)\n", item.ok() ? "ok" : "BAD", item.what.c_str(), item.deviation, item.tolerance);
  if (parity.looks_random())
    std::printf("These weights look random: attention is nearly uniform in all heads (%.3f of the largest entropy).\n", parity.random_score);
}

int run(const Flags& flags) {
  std::string text(session::built_in_reference());
  if (!flags.reference.empty()) {
    const auto bytes = io::read_file(flags.reference);
    if (!bytes) return report(bytes.error());
    text = bytes->text();
  }
  const auto references = session::parse_reference(text);
  if (!references) return report(references.error());
  const auto loaded = load(flags.model);
  if (!loaded) return report(loaded.error());
  const auto parity = session::check_parity(loaded->weights, *references);
  if (!parity) return report(parity.error());
  if (flags.json)
    print_json(summary_of(*parity));
  else
    print(*parity);
  const bool bad = parity->looks_random() || (!parity->reference.empty() && !parity->ok());
  return bad ? kExitBadInput : kExitOk;
}

}  // namespace

void add_verify(CLI::App& app, int& status) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("verify", "Compare a model's numbers with stored reference values");
  add_model_flags(*command, flags->model);
  command->add_option("--reference", flags->reference, "reference file instead of the built-in one");
  command->add_flag("--json", flags->json, "print the result as JSON");
  command->callback([flags, &status] { status = run(*flags); });
}

}  // namespace nullscope::app
