// nullscope tokenize: ids, tokens, segments, offsets, words.
#include <cstdio>
#include <memory>

#include "app/cli/commands.h"
#include "app/cli/inputs.h"
#include "app/cli/output.h"
#include "io/trace_bundle.h"

namespace nullscope::app {
namespace {

struct Flags {
  ModelFlags model;
  TextFlags text;
  OutputFlags output;
  std::optional<int> max_length;
  bool lower = false, cased = false;
};

nlohmann::ordered_json summary(const text::Encoding& e) {
  nlohmann::ordered_json offsets = nlohmann::ordered_json::array();
  for (const text::Span span : e.offsets) offsets.push_back({span.begin, span.end});
  return {{"tokens", e.tokens}, {"ids", e.ids},           {"segments", e.segments},   {"offsets", offsets},
          {"words", e.words},   {"sequence", e.sequence}, {"cut_first", e.cut_first}, {"cut_second", e.cut_second}};
}

void print_table(const text::Encoding& e) {
  std::printf("%4s %7s %3s %11s %5s  %s\n", "pos", "id", "seg", "offsets", "word", "token");
  for (int i = 0; i < e.tokens_count(); ++i) {
    const auto at = static_cast<size_t>(i);
    const std::string span = e.sequence[at] == text::kFrame
                                 ? "-"
                                 : std::to_string(e.offsets[at].begin) + ".." + std::to_string(e.offsets[at].end);
    const std::string word = e.words[at] == text::kFrame ? "-" : std::to_string(e.words[at]);
    std::printf("%4d %7d %3d %11s %5s  %s\n", i, e.ids[at], e.segments[at], span.c_str(), word.c_str(),
                e.tokens[at].c_str());
  }
}

int run(const Flags& flags) {
  auto tokenizer = load_tokenizer_only(flags.model.folder);
  if (!tokenizer) return report(tokenizer.error());
  if (flags.lower || flags.cased) {
    text::TokenizerOptions options = tokenizer->options();
    options.lowercase = flags.lower;
    options.strip_accents.reset();
    *tokenizer = text::Tokenizer(tokenizer->vocabulary(), options);
  }
  constexpr int kNoLimit = 1 << 30;
  const auto items = read_items(flags.text, &*tokenizer, flags.max_length.value_or(kNoLimit));
  if (!items) return report(items.error());
  TensorBundle bundle;
  for (size_t i = 0; i < items->size(); ++i) {
    const text::Encoding& encoding = *(*items)[i].encoding;
    if (flags.output.json)
      print_json(summary(encoding));
    else
      print_table(encoding);
    if (!flags.output.out.empty())
      merge(bundle, io::encoding_bundle(encoding), items->size() == 1 ? "" : std::to_string(i) + "/");
  }
  return finish(flags.output, bundle);
}

}  // namespace

void add_tokenize(CLI::App& app, int& status) {
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("tokenize", "Ids, tokens, segments, offsets and words of a text");
  command->add_option("--model", flags->model.folder, "folder with vocab.txt or tokenizer.json")->capture_default_str();
  add_text_flags(*command, flags->text, false);
  command->add_option("--max-length", flags->max_length, "cut to this many tokens")->check(CLI::Range(1, 1 << 20));
  auto* lower = command->add_flag("--lower", flags->lower, "lower-case, whatever the folder says");
  command->add_flag("--cased", flags->cased, "keep case, whatever the folder says")->excludes(lower);
  add_output_flags(*command, flags->output);
  command->callback([flags, &status] { status = run(*flags); });
}

}  // namespace nullscope::app
