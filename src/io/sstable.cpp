#include "io/sstable.h"

#include "io/crc32c.h"
#include "io/foreign_format.h"

namespace nullscope::io {
namespace {

constexpr size_t kFooter = 48;
constexpr size_t kHandles = 40;  // two block handles, padded
constexpr size_t kTrailer = 5;   // compression type, masked checksum
constexpr uint64_t kMagic = 0xdb4775248b80fb57u;
constexpr size_t kMaxKey = size_t{1} << 16;

class Table {
 public:
  Table(std::string_view bytes, std::string_view name) : bytes_(bytes), name_(name) {}

  // The contents of the block that a handle (offset, size) leads to.
  Result<std::string_view> block(std::string_view& handle) const {
    const auto offset = take_varint(handle);
    const auto size = offset ? take_varint(handle) : std::nullopt;
    const uint64_t room = bytes_.size() - kFooter;
    if (!size || *offset > room || *size > room - *offset || room - *offset - *size < kTrailer)
      return bad("the handle of a block leads outside the file");
    const auto at = static_cast<size_t>(*offset), length = static_cast<size_t>(*size);
    const std::string_view checked = bytes_.substr(at, length + 1);
    const uint32_t stored = little_endian32(bytes_.substr(at + length + 1, 4));
    if (checked.back() != 0)
      return fail(ErrorCode::kUnsupported,
                  std::string(name_) + ": block compression: expected none, found " +
                      (checked.back() == 1 ? "Snappy" : "type " + std::to_string(static_cast<unsigned char>(checked.back()))));
    if (masked_crc(crc32c(std::as_bytes(std::span(checked)))) != stored) return bad("the checksum of a block is wrong");
    return bytes_.substr(at, length);
  }

  // Calls `visit(key, value)`, in order, with a status.
  template <class Visit>
  Status each(std::string_view block, Visit visit) const {
    if (block.size() < 4) return bad("a block is too short for its restart count");
    const uint64_t restarts = little_endian32(block.substr(block.size() - 4));
    if (restarts > (block.size() - 4) / 4) return bad("a block counts more restarts than it can hold");
    std::string_view rest = block.substr(0, block.size() - 4 - static_cast<size_t>(restarts) * 4);
    std::string key;
    while (!rest.empty()) {
      const auto shared = take_varint(rest);
      const auto own = shared ? take_varint(rest) : std::nullopt;
      const auto length = own ? take_varint(rest) : std::nullopt;
      if (!length) return bad("an entry of a block has a damaged number");
      if (*shared > key.size()) return bad("an entry of a block shares more than the key before it");
      if (*own > rest.size() || *length > rest.size() - *own || *shared + *own > kMaxKey)
        return bad("an entry of a block is longer than the block");
      key.resize(static_cast<size_t>(*shared));
      key += rest.substr(0, static_cast<size_t>(*own));
      rest.remove_prefix(static_cast<size_t>(*own));
      NULLSCOPE_TRY(visit(key, rest.substr(0, static_cast<size_t>(*length))));
      rest.remove_prefix(static_cast<size_t>(*length));
    }
    return {};
  }

  std::unexpected<Error> bad(std::string what) const {
    return fail(ErrorCode::kBadFormat, std::string(name_) + ": damaged index: " + std::move(what));
  }

 private:
  std::string_view bytes_, name_;
};

}  // namespace

std::optional<uint64_t> take_varint(std::string_view& bytes) {
  uint64_t value = 0;
  for (unsigned shift = 0; shift < 70; shift += 7) {
    if (bytes.empty()) return std::nullopt;
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    if (shift == 63 && byte > 1) return std::nullopt;
    value |= static_cast<uint64_t>(byte & 0x7fu) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

uint32_t little_endian32(std::string_view four_bytes) {
  uint32_t value = 0;
  for (size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(four_bytes[i]);
  return value;
}

Result<std::vector<TableEntry>> parse_sstable(std::span<const std::byte> raw, std::string_view name) {
  const std::string_view bytes(reinterpret_cast<const char*>(raw.data()), raw.size());
  const Table table(bytes, name);
  std::string_view footer = bytes.size() < kFooter ? std::string_view() : bytes.substr(bytes.size() - kFooter);
  const auto word = [&](size_t at) { return static_cast<uint64_t>(little_endian32(footer.substr(at, 4))); };
  if (footer.empty() || (word(kHandles) | word(kHandles + 4) << 32) != kMagic) {
    const auto really = foreign_format(raw);
    return fail(ErrorCode::kBadFormat,
                std::string(name) + " is not a TensorFlow checkpoint index: no magic number in the last eight bytes" +
                    (really.empty() ? "" : "; it looks like " + std::string(really)));
  }
  std::string_view handles = footer.substr(0, kHandles);
  const auto metaindex = table.block(handles);
  if (!metaindex) return std::unexpected(metaindex.error());
  const auto index = table.block(handles);
  if (!index) return std::unexpected(index.error());

  std::vector<TableEntry> entries;
  NULLSCOPE_TRY(table.each(*index, [&](const std::string&, std::string_view handle) -> Status {
    const auto block = table.block(handle);
    if (!block) return std::unexpected(block.error());
    return table.each(*block, [&](const std::string& key, std::string_view value) -> Status {
      if (!entries.empty() && key <= entries.back().key)
        return table.bad("the key \"" + key + "\" is out of order or a duplicate");
      entries.push_back({key, value});
      return {};
    });
  }));
  return entries;
}

}  // namespace nullscope::io
