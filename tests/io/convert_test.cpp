#include "io/convert.h"

#include <doctest/doctest.h>

#include "io/folder.h"
#include "io/model_sources.h"
#include "io/safetensors.h"
#include "io/sha256.h"
#include "support/temporary_folder.h"

namespace nullscope::test {
namespace {

FileMap base_files() {
  FileMap files = case_files("base.safetensors", "base.json");
  files["vocab.txt"] = read_case("weights/base_vocab.txt");
  return files;
}

io::LoadedModel loaded(const FileMap& files) {
  auto model = io::load_model(source_of(files));
  REQUIRE_MESSAGE(model.has_value(), model.error().message);
  return std::move(*model);
}

// All tensors of a folder's shards, by their names in the files.
TensorBundle all_tensors(const std::filesystem::path& folder) {
  TensorBundle all;
  for (const auto& item : std::filesystem::directory_iterator(folder))
    if (item.path().extension() == ".safetensors") {
      const auto bytes = io::read_file(item.path());
      REQUIRE(bytes.has_value());
      auto bundle = io::read_bundle(bytes->view(), item.path().string());
      REQUIRE(bundle.has_value());
      all.tensors.merge(bundle->tensors);
    }
  return all;
}

nlohmann::json manifest_of(const std::filesystem::path& folder) {
  const auto bytes = io::read_file(folder / io::kManifestName);
  REQUIRE(bytes.has_value());
  return nlohmann::json::parse(bytes->text());
}

}  // namespace

TEST_CASE("SHA-256 of the published example") {
  const std::string abc = "abc";
  CHECK(io::sha256_hex(std::as_bytes(std::span(abc))) ==
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST_CASE("F32 keeps every tensor, F16 rounds each number once") {
  const TensorBundle source = *io::read_bundle(read_case("weights/base.safetensors").view(), "base");
  const io::LoadedModel model = loaded(base_files());
  for (const io::Storage storage : {io::Storage::kF32, io::Storage::kF16}) {
    const TemporaryFolder folder;
    REQUIRE(io::convert(model, folder.path(), {.storage = storage, .name = "toy", .source = "test"}).has_value());
    const TensorBundle written = all_tensors(folder.path());
    REQUIRE(written.tensors.size() == source.tensors.size());
    for (const auto& [name, tensor] : source.tensors) {
      CAPTURE(name);
      const AnyTensor* found = written.find(name);
      REQUIRE(found);
      const AnyTensor expected =
          storage == io::Storage::kF32 ? tensor : AnyTensor::f16_from(*tensor.to_float());
      CHECK(found->dtype == expected.dtype);
      CHECK(found->shape == expected.shape);
      CHECK(found->bytes == expected.bytes);
    }
  }
}

TEST_CASE("the folder loads again, and its manifest is true") {
  const TemporaryFolder folder;
  const FileMap files = base_files();
  REQUIRE(io::convert(loaded(files), folder.path(), {.name = "toy", .source = "test"}).has_value());
  const auto manifest = manifest_of(folder.path());
  CHECK(manifest["format"] == 1);
  CHECK(manifest["name"] == "toy");
  CHECK(manifest["storage"] == "F16");
  CHECK(manifest["shards"]["layers"].size() == 2);
  size_t listed = 0;
  for (const auto& file : manifest["files"]) {
    const auto bytes = io::read_file(folder.path() / file["name"].get<std::string>());
    REQUIRE(bytes.has_value());
    CHECK(bytes->size == file["bytes"].get<size_t>());
    CHECK(io::sha256_hex(bytes->view()) == file["sha256"].get<std::string>());
    ++listed;
  }
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == static_cast<std::ptrdiff_t>(listed) + 1);

  const auto again = io::load_model(io::folder_source(folder.path()));
  REQUIRE_MESSAGE(again.has_value(), again.error().message);
  CHECK(again->report.no_mlm.empty());
  CHECK(again->report.no_nsp.empty());
  CHECK(again->weights.embeddings.word.view().type == nn::WeightType::kF16);
  CHECK(again->weights.mlm->decoder.weight.view().data == again->weights.embeddings.word.view().data);
  const auto vocab = io::read_file(folder.path() / "vocab.txt");
  REQUIRE(vocab.has_value());
  CHECK(vocab->text() == files.at("vocab.txt").text());
}

TEST_CASE("an untied decoder and missing heads survive") {
  const TemporaryFolder untied, bare;
  REQUIRE(io::convert(loaded(case_files("files/W06-01.safetensors", "configs/W06-01.json")), untied.path()).has_value());
  const auto with = io::load_model(io::folder_source(untied.path()));
  REQUIRE(with.has_value());
  CHECK(with->weights.mlm->decoder.weight.view().data != with->weights.embeddings.word.view().data);

  REQUIRE(io::convert(loaded(case_files("files/W09-01.safetensors", "base.json")), bare.path()).has_value());
  const auto without = io::load_model(io::folder_source(bare.path()));
  REQUIRE(without.has_value());
  CHECK_FALSE(without->weights.mlm.has_value());
  CHECK_FALSE(without->weights.nsp.has_value());
}

TEST_CASE("a number beyond F16 is refused by the name of its tensor, and leaves no manifest") {
  auto bundle = io::read_bundle(read_case("weights/base.safetensors").view(), "base");
  REQUIRE(bundle.has_value());
  const char* name = "bert.encoder.layer.1.output.dense.bias";
  Tensor<float> values = *bundle->find(name)->to_float();
  for (const auto& [value, fits] : {std::pair(65519.0f, true), std::pair(65520.0f, false), std::pair(-70000.0f, false)}) {
    values(3) = value;
    bundle->tensors[name] = AnyTensor::from(values);
    FileMap files = base_files();
    files["model.safetensors"] = io::copy_bytes(io::write_bundle(*bundle));
    const TemporaryFolder folder;
    REQUIRE(io::convert(loaded(base_files()), folder.path()).has_value());  // an older manifest goes too
    const auto status = io::convert(loaded(files), folder.path());
    CHECK(status.has_value() == fits);
    CHECK(std::filesystem::exists(folder.path() / io::kManifestName) == fits);
    if (!status) CHECK(status.error().message.find("encoder.layer.1.output.dense.bias") != std::string::npos);
  }
}

}  // namespace nullscope::test
