// Any bytes as a TensorFlow index, and as the block inside a sound one, which random bytes
// would never reach through the checksums. What must hold: whatever is found lies in the data.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "io/folder.h"
#include "io/sstable_writer.h"
#include "io/tf_bundle.h"

namespace {

using namespace nullscope;

void promise(bool kept) {
  if (!kept) std::abort();
}

void read(std::string_view index_bytes, const io::Bytes& data) {
  const auto index = io::parse_tf_index(std::as_bytes(std::span(index_bytes)), "fuzz.index");
  if (!index) {
    promise(!index.error().message.empty());
    return;
  }
  const auto tensors = io::tf_tensors(*index, 0, data, "fuzz.data");
  if (!tensors) return;
  for (const io::SourceTensor& tensor : *tensors) {
    promise(tensor.bytes.data.get() >= data.data.get());
    promise(tensor.bytes.data.get() + tensor.bytes.size <= data.data.get() + data.size);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const io::Bytes numbers =
      *io::read_file(NULLSCOPE_TEST_DATA "/cases/weights/base_bundle/variables.data-00000-of-00001");
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  read(bytes, numbers);
  read(test::table_of(bytes), numbers);
  return 0;
}
