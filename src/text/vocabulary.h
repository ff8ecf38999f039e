// Vocabulary: the pieces of WordPiece and their numbers. A piece's number is its line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/result.h"

namespace nullscope::text {

struct SpecialTokens {
  std::string unknown = "[UNK]", classify = "[CLS]", separate = "[SEP]", pad = "[PAD]", mask = "[MASK]";
  std::vector<std::string> added;  // further ones that count as such when typed in a text, "[E1]"
};

// A piece found at the start of some text.
struct Match {
  int id = 0;
  size_t bytes = 0;  // of the text; never 0
};

class Vocabulary {
 public:
  // Takes the pieces in order; an empty one holds its number only. Duplicates: the last number wins, as in the reference; the
  // earlier ids stay printable. Fails with kMissing when a special token that encoding
  // needs ([UNK], [CLS], [SEP]) is absent.
  static Result<Vocabulary> from_tokens(std::vector<std::string> tokens, SpecialTokens special = {});

  int size() const { return static_cast<int>(tokens_.size()); }
  std::optional<int> find(std::string_view token) const;
  const std::string& token(int id) const { return tokens_[static_cast<size_t>(id)]; }
  const SpecialTokens& special() const { return special_; }

  // The longest piece that `text` starts with: among those that begin a word, or among the
  // "##" pieces that go on with one. Tries each length that pieces have once.
  std::optional<Match> longest_start(std::string_view text) const;
  std::optional<Match> longest_continuation(std::string_view text) const;
  // The longest special token that `text` starts with, spelt exactly.
  std::optional<Match> special_start(std::string_view text) const;

  int unknown_id() const { return unknown_; }
  int classify_id() const { return classify_; }
  int separate_id() const { return separate_; }
  std::optional<int> pad_id() const { return pad_; }
  std::optional<int> mask_id() const { return mask_; }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };
  using Ids = std::unordered_map<std::string, int, Hash, std::equal_to<>>;
  // Pieces with their distinct lengths in bytes, longest first.
  struct Pieces {
    Ids ids;
    std::vector<size_t> lengths;
    void sort_lengths();
    std::optional<Match> longest(std::string_view text) const;
  };

  std::vector<std::string> tokens_;
  Pieces all_;            // as they are spelt
  Pieces continuations_;  // without their "##"
  Pieces typed_;          // the special tokens
  SpecialTokens special_;
  int unknown_ = 0, classify_ = 0, separate_ = 0;
  std::optional<int> pad_, mask_;
};

}  // namespace nullscope::text
