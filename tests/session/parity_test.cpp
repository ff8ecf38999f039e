// weights/reference.json holds for both storages, here and as WebAssembly, and catches a change.
#include "session/parity.h"

#include <doctest/doctest.h>

#include "session/bench.h"
#include "support/files.h"
#include "support/model_paths.h"

using namespace nullscope;

TEST_CASE("float32 arithmetic agrees with the stored reference, fp32 and fp16 weights") {
  const auto references = session::parse_reference(session::built_in_reference());
  REQUIRE(references);
  REQUIRE(references->size() == 2);
  for (const test::Storage storage : {test::Storage::kF32, test::Storage::kF16}) {
    const auto parity = session::check_parity(test::base_weights(storage), *references);
    REQUIRE(parity);
    CHECK(parity->reference == (storage == test::Storage::kF32 ? "bert-base-uncased F32" : "bert-base-uncased F16"));
    for (const session::ParityItem& item : parity->items) {
      MESSAGE(parity->reference << ": " << item.what << " " << item.deviation);
      CHECK_MESSAGE(item.ok(), item.what << ": " << item.deviation << " is over " << item.tolerance);
    }
    CHECK(parity->ok());
    CHECK(!parity->looks_random());
  }
}

TEST_CASE("the reference of the other storage is not met") {
  auto references = session::parse_reference(session::built_in_reference()).value();
  std::swap(references[0].storage, references[1].storage);
  const auto parity = session::check_parity(test::base_weights(test::Storage::kF16), references);
  REQUIRE(parity);
  CHECK(!parity->ok());
}

TEST_CASE("a damaged reference is refused") {
  CHECK(!session::parse_reference("{}"));
  CHECK(!session::parse_reference("{\"models\": [{}]}"));
  CHECK(!session::parse_reference("not JSON"));
}
