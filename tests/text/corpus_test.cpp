// The development pairs of MRPC have 21,723 tokens as [CLS] a [SEP] b [SEP], uncased; the
// shortest pair has 26, the longest 86. The corpus is not ours to ship: NULLSCOPE_CORPUS is
// the folder that holds mrpc_dev.tsv. Without it the test is skipped.
#include <cstdio>
#include <cstdlib>

#include "text/vocabularies.h"

namespace {

constexpr int kSkipped = 77;  // SKIP_RETURN_CODE
constexpr int kPairs = 408, kTokens = 21723, kShortest = 26, kLongest = 86;

std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  size_t at = 0;
  while (true) {
    const size_t end = line.find('\t', at);
    columns.push_back(line.substr(at, end - at));
    if (end == std::string::npos) return columns;
    at = end + 1;
  }
}

int fail(const std::string& why) {
  std::fprintf(stderr, "corpus_test: %s\n", why.c_str());
  return 1;
}

}  // namespace

int main() {
  using namespace nullscope;
  const char* folder = std::getenv("NULLSCOPE_CORPUS");
  if (!folder || !*folder) {
    std::puts("skipped: NULLSCOPE_CORPUS is not set to a folder with mrpc_dev.tsv");
    return kSkipped;
  }
  const auto lines = test::lines_of(test::read_file(std::string(folder) + "/mrpc_dev.tsv"));
  if (lines.size() != kPairs + 1)
    return fail("mrpc_dev.tsv: expected 409 lines, found " + std::to_string(lines.size()));
  auto vocabulary = test::published_vocabulary("uncased");
  if (!vocabulary) return fail(vocabulary.error().message);
  const text::Tokenizer tokenizer(std::move(*vocabulary), {});

  int tokens = 0, shortest = 1 << 30, longest = 0;
  for (size_t i = 1; i < lines.size(); ++i) {
    const auto columns = columns_of(lines[i]);
    if (columns.size() != 5) return fail("line " + std::to_string(i + 1) + ": expected 5 columns");
    const auto e = tokenizer.encode(columns[3], columns[4]);
    if (!e) return fail(e.error().message);
    tokens += e->tokens_count();
    shortest = std::min(shortest, e->tokens_count());
    longest = std::max(longest, e->tokens_count());
  }
  std::printf("%d tokens, shortest %d, longest %d\n", tokens, shortest, longest);
  return tokens == kTokens && shortest == kShortest && longest == kLongest
             ? 0
             : fail("expected 21723 tokens, shortest 26, longest 86");
}
