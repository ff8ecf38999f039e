#include "io/safetensors.h"

#include <doctest/doctest.h>

#include <cstring>

#include "io/bytes.h"

namespace nullscope::test {
namespace {

// A file from the text of its header and a count of data bytes.
std::vector<std::byte> file(const std::string& header, size_t data) {
  std::vector<std::byte> bytes(8 + header.size() + data);
  bytes[0] = static_cast<std::byte>(header.size());
  std::memcpy(bytes.data() + 8, header.data(), header.size());
  return bytes;
}

}  // namespace

TEST_CASE("a header by hand") {
  const auto bytes = file(R"({"b":{"dtype":"U8","shape":[3],"data_offsets":[8,11]},)"
                          R"("a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},"__metadata__":{"k":"v"}})",
                          11);
  const auto header = io::parse_safetensors_header(bytes, "x");
  REQUIRE(header.has_value());
  REQUIRE(header->entries.size() == 2);
  CHECK(header->entries[0].name == "a");
  CHECK(header->entries[0].shape == Shape{2, 1});
  CHECK(header->entries[0].begin == header->data_begin);
  CHECK(header->entries[1].dtype == "U8");
  CHECK(header->entries[1].end == bytes.size());
  CHECK(header->metadata.at("k") == "v");
}

TEST_CASE("a scalar has one number, a zero extent none") {
  const auto bytes = file(R"({"s":{"dtype":"I16","shape":[],"data_offsets":[0,2]},)"
                          R"("z":{"dtype":"F64","shape":[3,0],"data_offsets":[2,2]}})",
                          2);
  const auto bundle = io::read_bundle(bytes, "x");
  REQUIRE(bundle.has_value());
  CHECK(bundle->find("s")->bytes.size() == 2);
  CHECK(bundle->find("z")->bytes.empty());
}

TEST_CASE("a shape whose product wraps to the right size is refused") {
  // 2 (2^62 + 1) F32 numbers: 2^65 + 8 bytes, 8 in 64 bits.
  const auto header = io::parse_safetensors_header(
      file(R"({"a":{"dtype":"F32","shape":[2,4611686018427387905],"data_offsets":[0,8]}})", 8), "x");
  REQUIRE_FALSE(header.has_value());
  CHECK(header.error().code == ErrorCode::kBadShape);
}

TEST_CASE("a bundle comes back as it was written") {
  TensorBundle bundle;
  Tensor<float> a({2, 3});
  for (int64_t i = 0; i < a.size(); ++i) a(i) = static_cast<float>(i) * 0.3f;
  Tensor<int64_t> ids({2});
  ids(1) = -7;
  bundle.tensors["a"] = AnyTensor::from(a);
  bundle.tensors["half"] = AnyTensor::f16_from(a);
  bundle.tensors["ids"] = AnyTensor::from(ids);
  bundle.tensors["none"] = AnyTensor{Dtype::kU8, {0}, {}};
  bundle.metadata["text"] = "quote \" and \xC3\xA9";

  const auto bytes = io::write_bundle(bundle);
  const auto header = io::parse_safetensors_header(bytes, "x");
  REQUIRE(header.has_value());
  for (const io::TensorEntry& entry : header->entries)
    CHECK(entry.begin % dtype_size(*dtype_from_name(entry.dtype)) == 0);

  const auto back = io::read_bundle(bytes, "x");
  REQUIRE(back.has_value());
  CHECK(back->metadata == bundle.metadata);
  REQUIRE(back->tensors.size() == bundle.tensors.size());
  for (const auto& [name, tensor] : bundle.tensors) {
    const AnyTensor* found = back->find(name);
    REQUIRE(found);
    CHECK(found->dtype == tensor.dtype);
    CHECK(found->shape == tensor.shape);
    CHECK(found->bytes == tensor.bytes);
  }
}

TEST_CASE("a bundle refuses a type that it cannot hold, a header only names it") {
  const auto bytes = file(R"({"q":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]}})", 2);
  CHECK(io::parse_safetensors_header(bytes, "x").has_value());
  const auto bundle = io::read_bundle(bytes, "x");
  REQUIRE_FALSE(bundle.has_value());
  CHECK(bundle.error().code == ErrorCode::kBadType);
  CHECK(bundle.error().message.find("F8_E4M3") != std::string::npos);
}

}  // namespace nullscope::test
