#include "io/tf_bundle.h"

#include <algorithm>
#include <cstdio>

#include "core/tensor_bundle.h"
#include "io/crc32c.h"
#include "io/sstable.h"
#include "io/tensor_names.h"

namespace nullscope::io {
namespace {

constexpr int kMaxShards = 1 << 12;
constexpr size_t kMaxAxes = 8;

struct Field {
  uint64_t number = 0;
  uint64_t value = 0;      // of a varint or fixed32
  std::string_view bytes;  // of a length-delimited field
  bool is_bytes = false;
};

// Takes one field of a protocol buffer off the front; nullopt when it is damaged.
std::optional<Field> take_field(std::string_view& message) {
  const auto tag = take_varint(message);
  if (!tag || *tag >> 3 == 0) return std::nullopt;
  Field field{.number = *tag >> 3, .value = 0, .bytes = {}};
  const size_t fixed = (*tag & 7) == 1 ? 8 : 4;
  switch (*tag & 7) {
    case 0: {
      const auto value = take_varint(message);
      if (!value) return std::nullopt;
      field.value = *value;
      return field;
    }
    case 1:
    case 5:
      if (message.size() < fixed) return std::nullopt;
      field.value = little_endian32(message.substr(0, 4));
      message.remove_prefix(fixed);
      return field;
    case 2: {
      const auto length = take_varint(message);
      if (!length || *length > message.size()) return std::nullopt;
      field.bytes = message.substr(0, static_cast<size_t>(*length));
      field.is_bytes = true;
      message.remove_prefix(static_cast<size_t>(*length));
      return field;
    }
    default: return std::nullopt;
  }
}

// Calls `visit(field)` until it returns false; false when the message is damaged.
template <class Visit>
bool each_field(std::string_view message, Visit visit) {
  while (!message.empty()) {
    const auto field = take_field(message);
    if (!field || !visit(*field)) return false;
  }
  return true;
}

// TensorShapeProto: dim = 2 {size = 1}. Sizes are signed.
bool read_shape(std::string_view message, Shape& shape) {
  return each_field(message, [&](const Field& field) {
    if (field.number != 2) return true;
    if (!field.is_bytes || shape.size() == kMaxAxes) return false;
    shape.push_back(0);
    return each_field(field.bytes, [&](const Field& dim) {
      if (dim.number == 1) shape.back() = static_cast<int64_t>(dim.value);
      return true;
    });
  });
}

// BundleEntryProto: dtype 1, shape 2, shard_id 3, offset 4, size 5, crc32c 6, slices 7.
bool read_entry(std::string_view message, TfEntry& entry) {
  return each_field(message, [&](const Field& field) {
    switch (field.number) {
      case 1: entry.dtype = static_cast<int>(std::min<uint64_t>(field.value, 1000)); return !field.is_bytes;
      case 2: return field.is_bytes && read_shape(field.bytes, entry.shape);
      case 3: entry.shard = static_cast<int>(std::min<uint64_t>(field.value, kMaxShards)); return !field.is_bytes;
      case 4: entry.offset = field.value; return !field.is_bytes;
      case 5: entry.size = field.value; return !field.is_bytes;
      case 6: entry.masked_crc = static_cast<uint32_t>(field.value); return !field.is_bytes;
      case 7: entry.sliced = true; return true;
      default: return true;
    }
  });
}

// safetensors' name of a TensorFlow DataType; the number itself for types that are not weights.
std::string dtype_of(int type) {
  switch (type) {
    case 1: return "F32";
    case 2: return "F64";
    case 14: return "BF16";
    case 19: return "F16";
    default: return "TensorFlow type " + std::to_string(type);
  }
}

Status check_entry(const TfEntry& entry, const std::string& at, int shards) {
  if (entry.sliced)
    return fail(ErrorCode::kUnsupported, at + "the tensor is stored in slices (partitioned variables)");
  if (entry.shard >= shards)
    return fail(ErrorCode::kBadFormat, at + "lies in data shard " + std::to_string(entry.shard) + " of " +
                                           std::to_string(shards));
  uint64_t size = 1;
  bool sound = true;
  for (const int64_t extent : entry.shape)
    sound = sound && extent >= 0 && !__builtin_mul_overflow(size, static_cast<uint64_t>(extent), &size);
  if (const auto dtype = dtype_from_name(dtype_of(entry.dtype)))
    sound = sound && !__builtin_mul_overflow(size, dtype_size(*dtype), &size) && size == entry.size;
  if (!sound)
    return fail(ErrorCode::kBadShape, at + "its shape does not agree with its size of " + std::to_string(entry.size) +
                                          " bytes");
  return {};
}

// BundleHeaderProto: num_shards 1, endianness 2 (1 = big).
Result<int> read_header(std::string_view message, std::string_view name) {
  uint64_t shards = 0, endianness = 0;
  const bool sound = each_field(message, [&](const Field& field) {
    if (field.number == 1) shards = field.value;
    if (field.number == 2) endianness = field.value;
    return true;
  });
  if (!sound || shards == 0 || shards > static_cast<uint64_t>(kMaxShards))
    return fail(ErrorCode::kBadFormat, std::string(name) + ": damaged header entry");
  if (endianness != 0) return fail(ErrorCode::kUnsupported, std::string(name) + ": big-endian checkpoint");
  return static_cast<int>(shards);
}

}  // namespace

std::string tf_shard_suffix(int shard, int shards) {
  char text[40];
  std::snprintf(text, sizeof text, ".data-%05d-of-%05d", shard, shards);
  return text;
}

Result<TfIndex> parse_tf_index(std::span<const std::byte> bytes, std::string_view name) {
  const auto table = parse_sstable(bytes, name);
  if (!table) return std::unexpected(table.error());
  if (table->empty() || !table->front().key.empty())
    return fail(ErrorCode::kBadFormat, std::string(name) + ": the header entry is missing");
  const auto shards = read_header(table->front().value, name);
  if (!shards) return std::unexpected(shards.error());

  TfIndex index{.shards = *shards, .entries = {}, .other = {}};
  for (size_t i = 1; i < table->size(); ++i) {
    const TableEntry& row = (*table)[i];
    if (!tensor_name(row.key)) {
      if (index.other.empty() && !is_bookkeeping(row.key)) index.other = row.key;
      continue;
    }
    TfEntry entry{.name = row.key, .shape = {}};
    const std::string at = std::string(name) + ": " + row.key + ": ";
    if (!read_entry(row.value, entry)) return fail(ErrorCode::kBadFormat, at + "damaged index entry");
    NULLSCOPE_TRY(check_entry(entry, at, *shards));
    index.entries.push_back(std::move(entry));
  }
  if (index.entries.empty())
    return fail(ErrorCode::kUnsupported,
                std::string(name) + ": no tensor has a BERT name such as bert/embeddings/word_embeddings; " +
                    (index.other.empty() ? "the index holds no tensors" : "found names such as " + index.other));
  return index;
}

Result<std::vector<SourceTensor>> tf_tensors(const TfIndex& index, int shard, const Bytes& data,
                                             std::string_view file) {
  std::vector<SourceTensor> tensors;
  for (const TfEntry& entry : index.entries) {
    if (entry.shard != shard) continue;
    const std::string at = std::string(file) + ": " + entry.name + ": ";
    if (entry.offset > data.size || entry.size > data.size - entry.offset)
      return fail(ErrorCode::kBadFormat, at + "offset " + std::to_string(static_cast<int64_t>(entry.offset)) +
                                             " and size " + std::to_string(entry.size) +
                                             " lead past the end of the data, " + std::to_string(data.size) +
                                             " bytes (is the file truncated?)");
    const auto bytes = data.view().subspan(static_cast<size_t>(entry.offset), static_cast<size_t>(entry.size));
    if (masked_crc(crc32c(bytes)) != entry.masked_crc)
      return fail(ErrorCode::kBadFormat, at + "the checksum (CRC-32C) of its data is wrong");
    tensors.push_back({.name = entry.name,
                       .dtype = dtype_of(entry.dtype),
                       .shape = entry.shape,
                       .bytes = {std::shared_ptr<const std::byte>(data.data, bytes.data()), bytes.size()}});
  }
  return tensors;
}

}  // namespace nullscope::io
