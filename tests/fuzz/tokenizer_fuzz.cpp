// Any bytes as options, vocabulary and texts. What must hold: every list has T entries, ids
// and offsets in range and in order, no more tokens than asked for, and what was cut is
// what is missing from the uncut encoding.
#include <cstdint>
#include <cstdlib>

#include <fuzzer/FuzzedDataProvider.h>

#include "text/utf8.h"
#include "text/vocabularies.h"
#include "text/words.h"

namespace {

using namespace nullscope;

void promise(bool kept) {
  if (!kept) std::abort();
}

int code_points(std::string_view text) {
  int count = 0;
  for (size_t at = 0; at < text.size(); ++count) at += text::decode_utf8(text, at).bytes;
  return count;
}

void check(const text::Encoding& e, const text::Vocabulary& vocabulary, std::string_view first,
           std::string_view second) {
  const size_t n = e.ids.size();
  promise(e.segments.size() == n && e.tokens.size() == n && e.offsets.size() == n && e.sequence.size() == n &&
          e.words.size() == n);
  promise(e.cut_first >= 0 && e.cut_second >= 0);
  const int lengths[] = {code_points(first), code_points(second)};
  for (size_t i = 0; i < n; ++i) {
    promise(e.ids[i] >= 0 && e.ids[i] < vocabulary.size() && e.tokens[i] == vocabulary.token(e.ids[i]));
    promise(e.segments[i] == 0 || e.segments[i] == 1);
    const int sequence = e.sequence[i];
    if (sequence == text::kFrame) {
      promise(e.offsets[i] == text::Span{} && e.words[i] == text::kFrame);
      continue;
    }
    promise(sequence == e.segments[i]);
    promise(0 <= e.offsets[i].begin && e.offsets[i].begin < e.offsets[i].end &&
            e.offsets[i].end <= lengths[sequence]);
    if (i == 0 || e.sequence[i - 1] != sequence) {
      promise(e.words[i] == 0);
    } else {
      promise(e.words[i] == e.words[i - 1] || e.words[i] == e.words[i - 1] + 1);
      promise(e.offsets[i].begin >= e.offsets[i - 1].begin);
    }
  }
}

int count(const text::Encoding& e, int sequence) { return static_cast<int>(std::ranges::count(e.sequence, sequence)); }

const text::Tokenizer& uncased() {
  static const text::Tokenizer tokenizer(*test::published_vocabulary("uncased"), {});
  return tokenizer;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzedDataProvider bytes(data, size);
  text::TokenizerOptions settings{.lowercase = bytes.ConsumeBool(),
                                  .strip_accents = {},
                                  .clean_text = bytes.ConsumeBool(),
                                  .chinese_chars = bytes.ConsumeBool(),
                                  .max_characters_per_word = bytes.ConsumeIntegralInRange(1, 200)};
  if (bytes.ConsumeBool()) settings.strip_accents = bytes.ConsumeBool();
  text::EncodeOptions options;
  options.parse_special = bytes.ConsumeBool();
  options.add_special = bytes.ConsumeBool();
  const auto max_length = bytes.ConsumeIntegralInRange(-1, 40);
  options.truncation = bytes.PickValueInArray(
      {text::Truncation::kLongestFirst, text::Truncation::kOnlyFirst, text::Truncation::kOnlySecond});

  // The published vocabulary is too large to be copied for every input: default settings there.
  const bool published = bytes.ConsumeBool();
  std::optional<text::Tokenizer> small;
  if (!published) {
    text::SpecialTokens special;
    special.added = {bytes.ConsumeRandomLengthString(8)};
    auto tokens = test::lines_of(bytes.ConsumeRandomLengthString(200));
    tokens.insert(tokens.end(), {"[UNK]", "[CLS]", "[SEP]", special.added[0]});
    small.emplace(*text::Vocabulary::from_tokens(tokens, special), settings);
  }
  const text::Tokenizer& tokenizer = published ? uncased() : *small;
  const bool has_pair = bytes.ConsumeBool();
  const std::string second = has_pair ? bytes.ConsumeRandomLengthString() : "";
  const std::string first = bytes.ConsumeRemainingBytesAsString();
  const std::optional<std::string_view> pair = has_pair ? std::optional<std::string_view>(second) : std::nullopt;

  const auto whole = tokenizer.encode(first, pair, options);
  promise(whole.has_value());
  check(*whole, tokenizer.vocabulary(), first, second);
  promise(whole->cut_first == 0 && whole->cut_second == 0);
  for (const std::string& spelling : original_spellings(*whole, word_ranges(*whole), first, pair))
    promise(!spelling.empty());

  options.max_length = max_length;
  const auto cut = tokenizer.encode(first, pair, options);
  if (!cut) {
    promise(cut.error().code == ErrorCode::kBadOption && !cut.error().message.empty());
    return 0;
  }
  check(*cut, tokenizer.vocabulary(), first, second);
  promise(cut->tokens_count() <= max_length);
  promise(count(*cut, 0) + cut->cut_first == count(*whole, 0));
  promise(count(*cut, 1) + cut->cut_second == count(*whole, 1));
  return 0;
}
