// Makes weights/reference.json, what `nullscope verify` compares with: double arithmetic on
// the fp32 and on the fp16 weights, for the texts of tests/golden/base b1 and b4.
//
//   make_reference FP32_FOLDER FP16_FOLDER > weights/reference.json
//
// Run it only when the golden tests pass: they tie double and float arithmetic on the fp32
// weights to an independent implementation.
#define DOCTEST_CONFIG_IMPLEMENT  // the golden reader refuses by doctest
#include <doctest/doctest.h>

#include <cstdio>

#include "analysis/expansion_rate.h"
#include "io/folder.h"
#include "io/model_files.h"
#include "session/parity.h"
#include "support/golden.h"

using namespace nullscope;

namespace {

session::ModelPrint measured(const io::LoadedModel& loaded, const char* name) {
  session::ModelPrint print;
  print.name = name;
  print.config = loaded.weights.config;
  print.storage = session::storage_of(loaded.weights);
  const std::vector<analysis::ExpansionRate> rates = analysis::expansion_rates(loaded.weights).value();
  for (const analysis::ExpansionRate& rate : rates) print.expansion_rate.push_back(rate.affine);
  for (const char* text : {"b1", "b4"}) {
    const model::ModelInput input = test::golden_input(std::string("base/") + text);
    int mask = -1;
    for (int i = 0; i < input.tokens(); ++i)
      if (input.ids[static_cast<size_t>(i)] == 103) mask = i;
    print.texts.push_back(session::measure_text<double>(loaded.weights, input, mask).value());
  }
  return print;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  doctest::Context context;
  context.setAsDefaultForAssertsOutOfTestCases();
  std::vector<session::ModelPrint> prints;
  for (int i = 1; i < 3; ++i) {
    const auto loaded = io::load_model(io::folder_source(argv[i]));
    if (!loaded) {
      std::fprintf(stderr, "%s\n", loaded.error().message.c_str());
      return 1;
    }
    prints.push_back(measured(*loaded, "bert-base-uncased"));
  }
  std::printf("%s", session::reference_json(prints).c_str());
  return 0;
}
