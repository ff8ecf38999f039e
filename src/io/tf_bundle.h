// TensorFlow tensor bundles (checkpoint V2): NAME.index maps tensor names to places in
// NAME.data-00000-of-0000N. The index is a sorted string table (sstable.h) of protocol
// buffers; the data are raw little-endian numbers with a masked CRC-32C per tensor.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "io/bytes.h"
#include "io/source_tensor.h"

namespace nullscope::io {

struct TfEntry {
  std::string name;
  int dtype = 0;       // DataType of TensorFlow
  Shape shape;
  int shard = 0;
  uint64_t offset = 0, size = 0;
  uint32_t masked_crc = 0;
  bool sliced = false;  // stored in partitions
};

struct TfIndex {
  int shards = 0;
  std::vector<TfEntry> entries;  // the parameters of a BERT model only
  std::string other;             // one of the other names, for messages
};

Result<TfIndex> parse_tf_index(std::span<const std::byte> bytes, std::string_view name);

// ".data-00000-of-00001"
std::string tf_shard_suffix(int shard, int shards);

// The tensors of one data file, each checked against its checksum. They share `data`.
Result<std::vector<SourceTensor>> tf_tensors(const TfIndex& index, int shard, const Bytes& data, std::string_view file);

}  // namespace nullscope::io
