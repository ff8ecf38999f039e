// The published vocabularies of tests/cases/vocab/, and small ones written in a test.
#pragma once

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "text/tokenizer.h"

namespace nullscope::test {

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::string> lines_of(const std::string& bytes) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < bytes.size();) {
    const size_t end = std::min(bytes.find('\n', at), bytes.size());
    lines.push_back(bytes.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// `name`: uncased, cased or multilingual.
inline Result<text::Vocabulary> published_vocabulary(const std::string& name) {
  return text::Vocabulary::from_tokens(
      lines_of(read_file(std::string(NULLSCOPE_TEST_DATA) + "/cases/vocab/" + name + ".txt")));
}

// [PAD] 0, [UNK] 1, [CLS] 2, [SEP] 3, [MASK] 4, then `pieces` from 5.
inline text::Vocabulary small_vocabulary(const std::vector<std::string>& pieces,
                                         const text::SpecialTokens& special = {}) {
  std::vector<std::string> tokens = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
  tokens.insert(tokens.end(), pieces.begin(), pieces.end());
  return *text::Vocabulary::from_tokens(tokens, special);
}

}  // namespace nullscope::test
