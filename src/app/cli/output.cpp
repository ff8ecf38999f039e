#include "app/cli/output.h"

#include <cmath>
#include <cstdio>
#include <span>

#include "io/export.h"
#include "io/folder.h"
#include "io/safetensors.h"

namespace nullscope::app {

void add_output_flags(CLI::App& command, OutputFlags& flags) {
  command.add_option("--out", flags.out, "write the numbers to FILE (.safetensors, .npz, .json, .csv)")
      ->check([](const std::string& path) {
        for (const char* ending : {".safetensors", ".npz", ".json", ".csv"})
          if (path.ends_with(ending)) return std::string();
        return "the ending of '" + path + "' must be .safetensors, .npz, .json or .csv";
      });
  command.add_flag("--json", flags.json, "print the summary as JSON");
}

Status write_out(const std::string& path, const TensorBundle& bundle) {
  if (path.ends_with(".npz")) return io::write_npz(path, bundle);
  if (path.ends_with(".safetensors")) return io::write_file(path, io::write_bundle(bundle));
  const auto text = path.ends_with(".json") ? io::bundle_json(bundle) : io::bundle_csv(bundle);
  if (!text) return std::unexpected(text.error());
  return io::write_file(path, std::as_bytes(std::span(*text)));
}

void merge(TensorBundle& whole, TensorBundle part, const std::string& prefix) {
  for (auto& [name, tensor] : part.tensors) whole.tensors.insert_or_assign(prefix + name, std::move(tensor));
  for (auto& [key, value] : part.metadata) whole.metadata.insert_or_assign(prefix + key, std::move(value));
}

void print_json(const nlohmann::ordered_json& summary) {
  std::printf("%s\n", summary.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
}

nlohmann::ordered_json json_number(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

int report(const Error& error) {
  std::fprintf(stderr, "nullscope: %s\n", error.message.c_str());
  return kExitBadInput;
}

int finish(const OutputFlags& flags, const TensorBundle& bundle) {
  if (flags.out.empty()) return kExitOk;
  const Status written = write_out(flags.out, bundle);
  return written ? kExitOk : report(written.error());
}

}  // namespace nullscope::app
