#include "text/vocabulary.h"

#include <algorithm>
#include <functional>

namespace nullscope::text {
namespace {

constexpr std::string_view kContinuation = "##";

}  // namespace

void Vocabulary::Pieces::sort_lengths() {
  for (const auto& [piece, id] : ids) lengths.push_back(piece.size());
  std::ranges::sort(lengths, std::greater<>());
  lengths.erase(std::ranges::unique(lengths).begin(), lengths.end());
}

std::optional<Match> Vocabulary::Pieces::longest(std::string_view text) const {
  const auto fitting = std::ranges::lower_bound(lengths, text.size(), std::greater<>());
  for (auto length = fitting; length != lengths.end(); ++length)
    if (const auto found = ids.find(text.substr(0, *length)); found != ids.end()) return Match{found->second, *length};
  return std::nullopt;
}

Result<Vocabulary> Vocabulary::from_tokens(std::vector<std::string> tokens, SpecialTokens special) {
  Vocabulary v;
  v.tokens_ = std::move(tokens);
  v.special_ = std::move(special);
  v.all_.ids.reserve(v.tokens_.size());
  for (int id = 0; id < v.size(); ++id) {
    const std::string& token = v.token(id);
    if (!token.empty()) v.all_.ids[token] = id;
    if (token.starts_with(kContinuation) && token.size() > kContinuation.size())
      v.continuations_.ids[token.substr(kContinuation.size())] = id;
  }
  struct Needed {
    const std::string& name;
    int* id;
  };
  for (const Needed& needed : {Needed{v.special_.unknown, &v.unknown_}, Needed{v.special_.classify, &v.classify_},
                               Needed{v.special_.separate, &v.separate_}}) {
    const auto id = v.find(needed.name);
    if (!id)
      return fail(ErrorCode::kMissing, "vocabulary: expected the special token " + needed.name + ", found " +
                                           std::to_string(v.size()) + " pieces without it");
    *needed.id = *id;
  }
  v.pad_ = v.find(v.special_.pad);
  v.mask_ = v.find(v.special_.mask);

  std::vector<std::string> typed = v.special_.added;
  typed.insert(typed.end(), {v.special_.unknown, v.special_.classify, v.special_.separate, v.special_.pad,
                             v.special_.mask});
  for (const std::string& name : typed)
    if (const auto id = v.find(name)) v.typed_.ids[name] = *id;
  for (Pieces* pieces : {&v.all_, &v.continuations_, &v.typed_}) pieces->sort_lengths();
  return v;
}

std::optional<int> Vocabulary::find(std::string_view token) const {
  const auto found = all_.ids.find(token);
  return found == all_.ids.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Match> Vocabulary::longest_start(std::string_view text) const { return all_.longest(text); }
std::optional<Match> Vocabulary::longest_continuation(std::string_view text) const {
  return continuations_.longest(text);
}
std::optional<Match> Vocabulary::special_start(std::string_view text) const { return typed_.longest(text); }

}  // namespace nullscope::text
