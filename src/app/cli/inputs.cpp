#include "app/cli/inputs.h"

#include <cstdio>
#include <filesystem>
#include <string_view>

#include "io/folder.h"

namespace nullscope::app {
namespace {

// Lines of a file without their ends; a text and its pair are separated by a tab.
Result<std::vector<std::pair<std::string, std::optional<std::string>>>> read_lines(const std::string& path) {
  const auto bytes = io::read_file(path);
  if (!bytes) return std::unexpected(bytes.error());
  std::vector<std::pair<std::string, std::optional<std::string>>> lines;
  std::string_view rest = bytes->text();
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const size_t tab = line.find('\t');
    if (tab == std::string_view::npos)
      lines.emplace_back(line, std::nullopt);
    else
      lines.emplace_back(line.substr(0, tab), std::string(line.substr(tab + 1)));
  }
  if (lines.empty()) return fail(ErrorCode::kMissing, path + " has no lines");
  return lines;
}

}  // namespace

void add_model_flags(CLI::App& command, ModelFlags& flags) {
  command.add_option("--model", flags.folder, "folder with config.json, vocab.txt and weights")->capture_default_str();
  command.add_option("--threads", flags.threads, "threads of the engine")
      ->capture_default_str()
      ->check(CLI::Range(1, 256));
}

void add_text_flags(CLI::App& command, TextFlags& flags, bool allow_ids) {
  auto* text = command.add_option("--text", flags.text, "the text");
  auto* pair = command.add_option("--pair", flags.pair, "a second text")->needs(text);
  auto* file = command.add_option("--file", flags.file, "a text, or text TAB pair, on each line");
  file->excludes(text)->excludes(pair);
  if (!allow_ids) return;
  auto* ids = command.add_option("--ids", flags.ids, "token ids, separated by commas")->delimiter(',');
  ids->excludes(text)->excludes(file);
  command.add_option("--segments", flags.segments, "segment of each id")->delimiter(',')->needs(ids);
}

std::string Item::token(int position) const {
  const auto at = static_cast<size_t>(position);
  return encoding ? encoding->tokens[at] : "#" + std::to_string(input.ids[at]);
}

Result<io::LoadedModel> load(const ModelFlags& flags) {
  if (!std::filesystem::is_directory(flags.folder))
    return fail(ErrorCode::kMissing, "no folder " + flags.folder + ": give --model, or run weights/fetch first");
  auto loaded = io::load_model(io::folder_source(flags.folder));
  if (!loaded) return loaded;
  for (const std::string& warning : loaded->report.warnings) std::fprintf(stderr, "nullscope: note: %s\n", warning.c_str());
  return loaded;
}

Result<text::Tokenizer> load_tokenizer_only(const std::string& folder) {
  const io::FileSource source = io::folder_source(folder);
  io::Bytes held[3];
  std::optional<std::string_view> texts[3];
  const char* const names[3] = {"vocab.txt", "tokenizer.json", "tokenizer_config.json"};
  for (int i = 0; i < 3; ++i) {
    if (!std::filesystem::exists(std::filesystem::path(folder) / names[i])) continue;
    auto bytes = source.read(names[i]);
    if (!bytes) return std::unexpected(bytes.error());
    held[i] = *std::move(bytes);
    texts[i] = held[i].text();
  }
  return io::load_tokenizer({texts[0], texts[1], texts[2]});
}

Result<std::vector<Item>> read_items(const TextFlags& flags, const text::Tokenizer* tokenizer, int max_length) {
  std::vector<Item> items;
  if (!flags.ids.empty()) {
    Item item;
    item.input.ids = flags.ids;
    item.input.segments = flags.segments;
    items.push_back(std::move(item));
    return items;
  }
  std::vector<std::pair<std::string, std::optional<std::string>>> texts;
  if (flags.file) {
    auto lines = read_lines(*flags.file);
    if (!lines) return std::unexpected(lines.error());
    texts = *std::move(lines);
  } else if (flags.text) {
    texts.emplace_back(*flags.text, flags.pair);
  } else {
    return fail(ErrorCode::kMissing, "no text: give --text, --file or --ids");
  }
  if (tokenizer == nullptr) return fail(ErrorCode::kMissing, "the model has no vocabulary: give --ids instead of a text");
  for (auto& [text, pair] : texts) {
    text::EncodeOptions options;
    options.max_length = max_length;
    auto encoding = tokenizer->encode(text, pair, options);
    if (!encoding) return std::unexpected(encoding.error());
    if (encoding->cut_first + encoding->cut_second > 0)
      std::fprintf(stderr, "nullscope: note: cut to %d tokens: %d pieces of the text and %d of the pair were left out\n",
                   max_length, encoding->cut_first, encoding->cut_second);
    Item item{text, pair, std::nullopt, {encoding->ids, encoding->segments, {}}};
    item.encoding = *std::move(encoding);
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace nullscope::app
