// The sweeps of tests/cases/weights/expected.json: every cut, every flipped bit.
#include <doctest/doctest.h>

#include "io/model_sources.h"
#include "io/weight_slots.h"

namespace nullscope::test {
namespace {

using Edit = std::vector<std::byte>;

Edit bytes_of(const io::Bytes& bytes) { return {bytes.view().begin(), bytes.view().end()}; }

void flip(Edit& bytes, size_t i) { bytes[i] ^= static_cast<std::byte>(1u << (i % 8)); }

// Shapes of everything that a forward pass reads, in order.
std::vector<std::pair<int64_t, int64_t>> shapes(model::BertWeights weights) {
  std::vector<io::WeightSlot> slots = io::embedding_slots(weights.config, weights.embeddings);
  for (int layer = 0; layer < weights.config.layers; ++layer)
    for (io::WeightSlot& slot : io::layer_slots(weights.config, layer, weights.layers[static_cast<size_t>(layer)]))
      slots.push_back(std::move(slot));
  std::vector<std::pair<int64_t, int64_t>> all;
  for (const io::WeightSlot& slot : slots) {
    REQUIRE(slot.weight->present());
    all.emplace_back(slot.weight->rows(), slot.weight->cols());
  }
  return all;
}

// The files of a case with one of them replaced.
class Sweep {
 public:
  Sweep(FileMap files, std::string name) : files_(std::move(files)), name_(std::move(name)), good_(bytes_of(files_.at(name_))) {}
  const Edit& good() const { return good_; }
  auto load(const Edit& edited) {
    files_[name_] = io::copy_bytes(edited);
    return io::load_model(source_of(files_));
  }

 private:
  FileMap files_;
  std::string name_;
  Edit good_;
};

Sweep safetensors_sweep() { return {case_files("base.safetensors", "base.json"), "model.safetensors"}; }
Sweep bundle_sweep() { return {case_files("base_bundle/variables.index", "base.json"), "variables.index"}; }

}  // namespace

TEST_CASE("sweeps start from sound files") {
  Sweep a = safetensors_sweep(), b = bundle_sweep();
  CHECK(a.load(a.good()).has_value());
  CHECK(b.load(b.good()).has_value());
  CHECK(read_case_json("weights/expected.json")["sweeps"].size() == 5);  // S1 to S5, one test case each
}

TEST_CASE("S1: a safetensors file cut anywhere is refused") {
  Sweep sweep = safetensors_sweep();
  size_t loaded = 0;
  for (size_t n = 0; n < sweep.good().size(); ++n)
    loaded += sweep.load({sweep.good().begin(), sweep.good().begin() + static_cast<std::ptrdiff_t>(n)}).has_value();
  CHECK(loaded == 0);
}

TEST_CASE("S2: a flipped bit in the header never changes a shape") {
  Sweep sweep = safetensors_sweep();
  const auto sound = sweep.load(sweep.good());
  REQUIRE(sound.has_value());
  const auto expected = shapes(sound->weights);
  const size_t header = 8 + static_cast<size_t>(sweep.good()[0]) + (static_cast<size_t>(sweep.good()[1]) << 8);
  size_t loaded = 0;
  for (size_t i = 0; i < header; ++i) {
    Edit edited = sweep.good();
    flip(edited, i);
    if (const auto model = sweep.load(edited)) {
      ++loaded;
      CHECK(shapes(model->weights) == expected);
    }
  }
  CHECK(loaded < header / 10);  // names of heads and metadata may change, little else
}

TEST_CASE("S3: trailing bytes are refused") {
  Sweep sweep = safetensors_sweep();
  Edit edited = sweep.good();
  for (int n = 1; n <= 64; ++n) {
    edited.push_back({});
    CHECK_FALSE(sweep.load(edited).has_value());
  }
}

TEST_CASE("S4: a TensorFlow index cut anywhere is refused") {
  Sweep sweep = bundle_sweep();
  size_t loaded = 0;
  for (size_t n = 0; n < sweep.good().size(); ++n)
    loaded += sweep.load({sweep.good().begin(), sweep.good().begin() + static_cast<std::ptrdiff_t>(n)}).has_value();
  CHECK(loaded == 0);
}

TEST_CASE("S5: a flipped bit of a TensorFlow index is refused, but in the footer's padding") {
  Sweep sweep = bundle_sweep();
  const size_t footer = sweep.good().size() - 48;
  size_t padding = footer;  // after the four numbers of the two handles
  for (int number = 0; number < 4; ++padding) number += (sweep.good()[padding] & std::byte{0x80}) == std::byte{};
  const size_t magic = footer + 40;
  REQUIRE(padding < magic);
  for (size_t i = 0; i < sweep.good().size(); ++i) {
    Edit edited = sweep.good();
    flip(edited, i);
    const bool loaded = sweep.load(edited).has_value();
    if (i < padding || i >= magic) CHECK_FALSE(loaded);
  }
}

}  // namespace nullscope::test
