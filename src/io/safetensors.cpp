#include "io/safetensors.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "io/foreign_format.h"
#include "io/json.h"

namespace nullscope::io {
namespace {

using Json = nlohmann::json;

constexpr size_t kPrefix = 8;                          // the header's length, little-endian
constexpr uint64_t kMaxHeader = uint64_t{32} << 20;    // BERT-Large needs 60 KB
constexpr size_t kMaxAxes = 8;
constexpr std::string_view kMetadata = "__metadata__";

std::string shown(uint64_t n) { return std::to_string(n); }

std::unexpected<Error> not_safetensors(std::span<const std::byte> bytes, std::string_view name, std::string why) {
  std::string message = std::string(name) + " is not a safetensors file: " + std::move(why);
  if (const std::string_view really = foreign_format(bytes); !really.empty())
    message += "; it looks like " + std::string(really);
  return fail(ErrorCode::kBadFormat, std::move(message));
}

// The JSON text of the header, once the length before it holds.
Result<std::string_view> header_text(std::span<const std::byte> bytes, std::string_view name) {
  if (bytes.size() < kPrefix)
    return not_safetensors(bytes, name, "too short for a header, " + shown(bytes.size()) + " bytes");
  uint64_t length = 0;
  for (size_t i = kPrefix; i-- > 0;) length = length << 8 | static_cast<uint64_t>(bytes[i]);
  const uint64_t room = bytes.size() - kPrefix;
  if (length > room)
    return not_safetensors(bytes, name, "its header claims " + shown(length) + " bytes, " + shown(room) +
                                            " follow (is the file truncated?)");
  if (length > kMaxHeader)
    return fail(ErrorCode::kTooLarge, std::string(name) + ": header of " + shown(length) + " bytes, at most " +
                                          shown(kMaxHeader) + " are read");
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + kPrefix, static_cast<size_t>(length));
  if (text.empty()) return not_safetensors(bytes, name, "its header is empty");
  if (text.front() != '{') return not_safetensors(bytes, name, "its header does not begin with {");
  return text;
}

// An array of whole numbers from 0 to 2^63-1; nullopt for anything else.
std::optional<std::vector<int64_t>> whole_numbers(const Json* value) {
  const auto* items = value ? value->get_ptr<const Json::array_t*>() : nullptr;
  if (!items) return std::nullopt;
  std::vector<int64_t> numbers;
  for (const Json& item : *items) {
    const auto* number = item.get_ptr<const Json::number_unsigned_t*>();
    if (!number || *number > static_cast<uint64_t>(INT64_MAX)) return std::nullopt;
    numbers.push_back(static_cast<int64_t>(*number));
  }
  return numbers;
}

std::string found(const Json* value) { return value ? json_excerpt(*value) : "none"; }

Result<TensorEntry> parse_entry(const std::string& tensor, const Json& value, std::string_view name,
                                size_t data_begin, size_t file_size) {
  const std::string at = std::string(name) + ": " + tensor + ": ";
  if (!value.is_object())
    return fail(ErrorCode::kBadFormat, at + "expected an object in the header, found " + json_excerpt(value));
  TensorEntry entry{.name = tensor, .dtype = {}, .shape = {}};

  const std::string* dtype = as_string(member(value, "dtype"));
  if (!dtype) return fail(ErrorCode::kBadFormat, at + "expected a dtype, found " + found(member(value, "dtype")));
  entry.dtype = *dtype;

  const Json* shape = member(value, "shape");
  auto extents = whole_numbers(shape);
  if (!extents)
    return fail(ErrorCode::kBadShape, at + "expected a shape of whole numbers, found " + found(shape));
  if (extents->size() > kMaxAxes)
    return fail(ErrorCode::kBadShape, at + "shape has " + shown(extents->size()) + " axes, at most " +
                                          shown(kMaxAxes) + " are read");
  entry.shape = std::move(*extents);

  const Json* offsets = member(value, "data_offsets");
  const auto range = whole_numbers(offsets);
  if (!range || range->size() != 2)
    return fail(ErrorCode::kBadFormat, at + "expected data_offsets [begin, end], found " + found(offsets));
  const uint64_t begin = static_cast<uint64_t>((*range)[0]), end = static_cast<uint64_t>((*range)[1]);
  const uint64_t data_size = file_size - data_begin;
  if (begin > end || end > data_size)
    return fail(ErrorCode::kBadFormat, at + "data_offsets " + shown(begin) + " to " + shown(end) +
                                           " do not lie in the " + shown(data_size) +
                                           " bytes of data (is the file truncated?)");
  entry.begin = data_begin + static_cast<size_t>(begin);
  entry.end = data_begin + static_cast<size_t>(end);

  // Types that we do not read have a size we cannot check; they are refused when needed.
  if (const auto known = dtype_from_name(entry.dtype)) {
    uint64_t size = dtype_size(*known);
    bool overflow = false;
    for (const int64_t extent : entry.shape)
      overflow |= __builtin_mul_overflow(size, static_cast<uint64_t>(extent), &size);
    if (overflow || size != end - begin)
      return fail(ErrorCode::kBadShape, at + "shape " + found(shape) + " of " + entry.dtype + " needs " +
                                            (overflow ? "more bytes than can be counted" : shown(size) + " bytes") +
                                            ", its data_offsets span " + shown(end - begin));
  }
  return entry;
}

// Tensors must lie side by side, from the first byte of data to the last of the file.
Status check_layout(const std::vector<TensorEntry>& entries, std::string_view name, size_t data_begin, size_t size) {
  size_t reached = data_begin;
  for (const TensorEntry& entry : entries) {
    const std::string at = std::string(name) + ": " + entry.name + ": data_offsets ";
    if (entry.begin < reached)
      return fail(ErrorCode::kBadFormat, at + "overlap the tensor before by " + shown(reached - entry.begin) + " bytes");
    if (entry.begin > reached)
      return fail(ErrorCode::kBadFormat, at + "leave a hole of " + shown(entry.begin - reached) + " bytes before it");
    reached = entry.end;
  }
  if (reached != size)
    return fail(ErrorCode::kBadFormat, std::string(name) + ": " + shown(size - reached) +
                                           " extra bytes after the last tensor");
  return {};
}

}  // namespace

Result<SafetensorsHeader> parse_safetensors_header(std::span<const std::byte> bytes, std::string_view name) {
  const auto text = header_text(bytes, name);
  if (!text) return std::unexpected(text.error());
  const auto json = parse_json(*text, std::string(name) + ": header");
  if (!json) return std::unexpected(json.error());

  SafetensorsHeader header;
  header.data_begin = kPrefix + text->size();
  for (const auto& [key, value] : *json->get_ptr<const Json::object_t*>()) {
    if (key == kMetadata) {
      const auto* members = value.get_ptr<const Json::object_t*>();
      if (!members) return fail(ErrorCode::kBadFormat, std::string(name) + ": __metadata__ is not an object");
      for (const auto& [label, content] : *members) {
        const std::string* string = as_string(&content);
        if (!string)
          return fail(ErrorCode::kBadFormat, std::string(name) + ": __metadata__: expected text in \"" + label +
                                                 "\", found " + json_excerpt(content));
        header.metadata.emplace(label, *string);
      }
      continue;
    }
    auto entry = parse_entry(key, value, name, header.data_begin, bytes.size());
    if (!entry) return std::unexpected(std::move(entry.error()));
    header.entries.push_back(std::move(*entry));
  }
  std::ranges::sort(header.entries, {}, [](const TensorEntry& e) { return std::pair(e.begin, e.end); });
  NULLSCOPE_TRY(check_layout(header.entries, name, header.data_begin, bytes.size()));
  return header;
}

Result<TensorBundle> read_bundle(std::span<const std::byte> bytes, std::string_view name) {
  auto header = parse_safetensors_header(bytes, name);
  if (!header) return std::unexpected(std::move(header.error()));
  TensorBundle bundle;
  bundle.metadata = std::move(header->metadata);
  for (TensorEntry& entry : header->entries) {
    const auto dtype = dtype_from_name(entry.dtype);
    if (!dtype)
      return fail(ErrorCode::kBadType, std::string(name) + ": " + entry.name + ": dtype " + entry.dtype +
                                           " is not one we read");
    const auto data = bytes.subspan(entry.begin, entry.end - entry.begin);
    bundle.tensors.emplace(std::move(entry.name),
                           AnyTensor{*dtype, std::move(entry.shape), {data.begin(), data.end()}});
  }
  return bundle;
}

std::vector<std::byte> write_bundle(const TensorBundle& bundle) {
  // Widest numbers first keeps every tensor aligned.
  std::vector<const std::pair<const std::string, AnyTensor>*> order;
  for (const auto& item : bundle.tensors) order.push_back(&item);
  std::ranges::sort(order, [](const auto* a, const auto* b) {
    const size_t wide_a = dtype_size(a->second.dtype), wide_b = dtype_size(b->second.dtype);
    return wide_a != wide_b ? wide_a > wide_b : a->first < b->first;
  });

  Json header = Json::object();
  if (!bundle.metadata.empty()) {
    Json& metadata = header[std::string(kMetadata)] = Json::object();
    for (const auto& [key, value] : bundle.metadata) metadata[key] = value;
  }
  size_t size = 0;
  for (const auto* item : order) {
    const AnyTensor& tensor = item->second;
    header[item->first] = {{"dtype", std::string(dtype_name(tensor.dtype))},
                           {"shape", tensor.shape},
                           {"data_offsets", {size, size + tensor.bytes.size()}}};
    size += tensor.bytes.size();
  }
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize((text.size() + kPrefix - 1) / kPrefix * kPrefix, ' ');

  std::vector<std::byte> out(kPrefix + text.size() + size);
  for (size_t i = 0; i < kPrefix; ++i)
    out[i] = static_cast<std::byte>(static_cast<uint64_t>(text.size()) >> (8 * i) & 0xff);
  std::memcpy(out.data() + kPrefix, text.data(), text.size());
  size_t at = kPrefix + text.size();
  for (const auto* item : order) {
    const auto& data = item->second.bytes;
    if (!data.empty()) std::memcpy(out.data() + at, data.data(), data.size());
    at += data.size();
  }
  return out;
}

}  // namespace nullscope::io
