// What commands write: files by their ending, a summary on standard output, errors on
// standard error with exit status 1.
#pragma once

#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "core/result.h"
#include "core/tensor_bundle.h"

namespace nullscope::app {

inline constexpr int kExitOk = 0, kExitBadInput = 1, kExitUsage = 2;

struct OutputFlags {
  std::string out;    // .safetensors, .npz, .json or .csv; empty for none
  bool json = false;  // the summary as JSON
};
void add_output_flags(CLI::App& command, OutputFlags& flags);

// Writes the bundle in the format that the ending of `path` names. kBadOption for others.
Status write_out(const std::string& path, const TensorBundle& bundle);

// Adds the tensors of `part` under `prefix` ("" for a single text, "3/" for the third line).
void merge(TensorBundle& whole, TensorBundle part, const std::string& prefix);

void print_json(const nlohmann::ordered_json& summary);
// A number as JSON: null when it is not finite.
nlohmann::ordered_json json_number(double value);

// Prints "nullscope: message" and gives the exit status.
int report(const Error& error);

// The end of a command: writes the bundle where --out says, if it does; the exit status.
int finish(const OutputFlags& flags, const TensorBundle& bundle);

}  // namespace nullscope::app
