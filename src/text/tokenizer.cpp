#include "text/tokenizer.h"

#include "text/basic_tokenizer.h"
#include "text/truncation.h"

namespace nullscope::text {
namespace {

struct Piece {
  int id;
  Span span;
  int word;
};

// WordPiece: the longest piece that fits, again and again; a word with a rest that no piece
// fits is [UNK] as a whole.
void append_pieces(const Word& word, int number, const Vocabulary& vocabulary, int limit, std::vector<Piece>& pieces) {
  const size_t before = pieces.size();
  const std::string_view letters = word.letters;
  bool known = word.characters <= limit;
  for (size_t at = 0; known && at < letters.size();) {
    const auto match = at == 0 ? vocabulary.longest_start(letters) : vocabulary.longest_continuation(letters.substr(at));
    known = match.has_value();
    if (!known) break;
    const size_t end = at + match->bytes;
    pieces.push_back({match->id, {word.sources[at], word.sources[end - 1] + 1}, number});
    at = end;
  }
  if (known) return;
  pieces.resize(before);
  pieces.push_back({vocabulary.unknown_id(), {word.sources.front(), word.last_source + 1}, number});
}

std::vector<Piece> pieces_of(std::string_view text, const Tokenizer& tokenizer, bool parse_special) {
  std::vector<Piece> pieces;
  int words = 0;
  const Vocabulary& vocabulary = tokenizer.vocabulary();
  const TextParts parts = {
      .word = [&](const Word& word) {
        append_pieces(word, words++, vocabulary, tokenizer.options().max_characters_per_word, pieces);
      },
      .special = [&](int id, Span span) { pieces.push_back({id, span, words++}); }};
  split_text(text, tokenizer.options(), parse_special ? &vocabulary : nullptr, parts);
  return pieces;
}

class Writer {
 public:
  Writer(const Vocabulary& vocabulary, int length) : vocabulary_(vocabulary) {
    const auto n = static_cast<size_t>(length);
    for (auto* numbers : {&out_.ids, &out_.segments, &out_.sequence, &out_.words}) numbers->reserve(n);
    out_.tokens.reserve(n);
    out_.offsets.reserve(n);
  }

  void frame(int id, int segment) { add({id, {}, kFrame}, segment, kFrame); }
  void text(const std::vector<Piece>& pieces, int count, int sequence) {
    for (int i = 0; i < count; ++i) add(pieces[static_cast<size_t>(i)], sequence, sequence);
  }
  Encoding take() { return std::move(out_); }

 private:
  void add(const Piece& piece, int segment, int sequence) {
    out_.ids.push_back(piece.id);
    out_.segments.push_back(segment);
    out_.tokens.push_back(vocabulary_.token(piece.id));
    out_.offsets.push_back(piece.span);
    out_.sequence.push_back(sequence);
    out_.words.push_back(piece.word);
  }

  const Vocabulary& vocabulary_;
  Encoding out_;
};

}  // namespace

Tokenizer::Tokenizer(Vocabulary vocabulary, TokenizerOptions options)
    : vocabulary_(std::move(vocabulary)), options_(options) {}

Result<Encoding> Tokenizer::encode(std::string_view text, std::optional<std::string_view> pair,
                                   const EncodeOptions& options) const {
  for (const std::string_view part : {text, pair.value_or("")})
    if (part.size() > kMaxTextBytes)
      return fail(ErrorCode::kTooLarge, "text: expected at most " + std::to_string(kMaxTextBytes) +
                                            " bytes, found " + std::to_string(part.size()));
  const int frame = options.add_special ? (pair ? 3 : 2) : 0;
  if (options.max_length && *options.max_length < frame)
    return fail(ErrorCode::kBadOption, "max_length: expected at least " + std::to_string(frame) +
                                           " for the special tokens, found " + std::to_string(*options.max_length));

  const std::vector<Piece> first = pieces_of(text, *this, options.parse_special);
  const std::vector<Piece> second = pieces_of(pair.value_or(""), *this, options.parse_special);
  const int first_count = static_cast<int>(first.size()), second_count = static_cast<int>(second.size());
  Kept kept{first_count, second_count};
  if (options.max_length) {
    const auto fit = truncate(first_count, second_count, *options.max_length - frame, options.truncation);
    if (!fit) return std::unexpected(fit.error());
    kept = *fit;
  }

  Writer writer(vocabulary_, kept.first + kept.second + frame);
  if (options.add_special) writer.frame(vocabulary_.classify_id(), 0);
  writer.text(first, kept.first, 0);
  if (options.add_special) writer.frame(vocabulary_.separate_id(), 0);
  writer.text(second, kept.second, 1);
  if (options.add_special && pair) writer.frame(vocabulary_.separate_id(), 1);
  Encoding encoding = writer.take();
  encoding.cut_first = first_count - kept.first;
  encoding.cut_second = second_count - kept.second;
  return encoding;
}

}  // namespace nullscope::text
