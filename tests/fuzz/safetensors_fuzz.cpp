// Any bytes as a safetensors file. What must hold: entries lie side by side inside the file
// and their sizes agree with their shapes; a bundle that was read is written and read alike.
#include <cstdint>
#include <cstdlib>

#include "io/safetensors.h"

namespace {
void promise(bool kept) {
  if (!kept) std::abort();
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace nullscope;
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto header = io::parse_safetensors_header(bytes, "fuzz");
  if (!header) {
    promise(!header.error().message.empty());
    promise(!io::read_bundle(bytes, "fuzz").has_value());
    return 0;
  }
  size_t reached = header->data_begin;
  for (const io::TensorEntry& entry : header->entries) {
    promise(entry.begin == reached && entry.end >= reached);
    reached = entry.end;
    if (const auto dtype = dtype_from_name(entry.dtype))
      promise(static_cast<size_t>(element_count(entry.shape)) * dtype_size(*dtype) == entry.end - entry.begin);
  }
  promise(reached == size);

  const auto bundle = io::read_bundle(bytes, "fuzz");
  if (!bundle) return 0;
  const auto again = io::read_bundle(io::write_bundle(*bundle), "fuzz");
  promise(again && again->metadata == bundle->metadata && again->tensors.size() == bundle->tensors.size());
  for (const auto& [name, tensor] : bundle->tensors) {
    const AnyTensor* copy = again->find(name);
    promise(copy && copy->dtype == tensor.dtype && copy->shape == tensor.shape && copy->bytes == tensor.bytes);
  }
  return 0;
}
