// The small parts of the readers: JSON, names, checksums, the shard index, sniffing.
#include <doctest/doctest.h>

#include "io/crc32c.h"
#include "io/foreign_format.h"
#include "io/json.h"
#include "io/model_files.h"
#include "io/shard_index.h"
#include "io/sstable.h"
#include "io/sstable_writer.h"
#include "io/tensor_names.h"
#include "io/tf_bundle.h"

namespace nullscope::test {
namespace {

std::span<const std::byte> raw(std::string_view text) { return std::as_bytes(std::span(text.data(), text.size())); }

std::string nested(size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

}  // namespace

TEST_CASE("JSON is read strictly") {
  using namespace std::string_view_literals;
  const auto value = io::parse_json(R"({"a": [1, {"b": "c"}], "d": null})", "x");
  REQUIRE(value.has_value());
  CHECK((*value)["a"][1]["b"] == "c");
  CHECK(io::parse_json(nested(io::kMaxJsonDepth), "x").has_value());
  CHECK_FALSE(io::parse_json(nested(io::kMaxJsonDepth + 1), "x").has_value());
  for (const std::string_view bad :
       {R"({"a":1,"a":1})"sv, R"({"a":{"b":1,"\u0062":2}})"sv, "{}\0"sv, "{} {}"sv, "[1,]"sv, "[NaN]"sv, "[1e400]"sv,
        "\"\xff\""sv, ""sv, "// c\n1"sv})
    CHECK_FALSE(io::parse_json(bad, "x").has_value());
}

TEST_CASE("names of checkpoints become ours") {
  struct Row {
    const char* in_file;
    const char* canonical;
    bool transposed;
  };
  for (const Row& row : {Row{"bert.encoder.layer.3.output.dense.weight", "encoder.layer.3.output.dense.weight", false},
                         Row{"module.bert.bert.pooler.dense.bias", "pooler.dense.bias", false},
                         Row{"0.auto_model.embeddings.LayerNorm.gamma", "embeddings.LayerNorm.weight", false},
                         Row{"cls.predictions.decoder.bias", "cls.predictions.bias", false},
                         Row{"bert/encoder/layer_11/attention/self/query/kernel",
                             "encoder.layer.11.attention.self.query.weight", true},
                         Row{"module/bert/embeddings/word_embeddings", "embeddings.word_embeddings.weight", false},
                         Row{"cls/predictions/output_bias", "cls.predictions.bias", false},
                         Row{"cls/seq_relationship/output_weights", "cls.seq_relationship.weight", false},
                         Row{"output_weights", "classifier.weight", false}}) {
    CAPTURE(row.in_file);
    const auto name = io::tensor_name(row.in_file);
    REQUIRE(name.has_value());
    CHECK(name->canonical == row.canonical);
    CHECK(name->transposed == row.transposed);
  }
  for (const char* none : {"bert/pooler/dense/kernel/adam_m", "global_step", "bert.embeddings.position_ids",
                           "roberta.encoder.layer.0.output.dense.weight", ""})
    CHECK_FALSE(io::tensor_name(none).has_value());
}

TEST_CASE("CRC-32C of the published check string, and of every tail length") {
  CHECK(io::crc32c(raw("123456789")) == 0xe3069283u);
  CHECK(io::crc32c(raw(std::string(32, '\0'))) == 0x8a9136aau);  // RFC 3720, B.4
  CHECK(io::crc32c({}) == 0u);
}

TEST_CASE("base-128 numbers") {
  using namespace std::string_view_literals;
  std::string_view bytes = "\xac\x02\x05"sv;
  CHECK(io::take_varint(bytes) == 300u);
  CHECK(io::take_varint(bytes) == 5u);
  CHECK_FALSE(io::take_varint(bytes).has_value());
  bytes = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv;
  CHECK(io::take_varint(bytes) == UINT64_MAX);
  bytes = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"sv;
  CHECK_FALSE(io::take_varint(bytes).has_value());
}

TEST_CASE("a sorted table by hand") {
  const std::string restarts(4, '\0');
  const auto parse = [&](const std::string& entries) {
    static std::string table;  // values point into it
    table = table_of(entries + restarts);
    return io::parse_sstable(raw(table), "x.index");
  };
  const auto table = parse(block_entry(0, "alpha", "1") + block_entry(2, "so", "22"));
  REQUIRE_MESSAGE(table.has_value(), table.error().message);
  REQUIRE(table->size() == 2);
  CHECK((*table)[0].key == "alpha");
  CHECK((*table)[1].key == "also");
  CHECK((*table)[1].value == "22");

  CHECK_FALSE(parse(block_entry(0, "b", "1") + block_entry(0, "a", "2")).has_value());  // order
  CHECK_FALSE(parse(block_entry(0, "a", "1") + block_entry(1, "", "2")).has_value());   // twice
  CHECK_FALSE(parse(block_entry(0, "a", "1") + block_entry(3, "z", "2")).has_value());  // shares too much
}

TEST_CASE("the size of a TensorFlow tensor agrees with its shape") {
  const auto parse = [&](uint64_t size) {
    // BundleEntryProto: dtype 1 = float, shape 2 {dim 2 {size 1 = 3}}, size 5.
    std::string entry = {0x08, 1, 0x12, 4, 0x12, 2, 0x08, 3, 0x28};
    append_varint(entry, size);
    const std::string header = {0x08, 1};
    const std::string table = table_of(block_entry(0, "", header) + block_entry(0, "bert/pooler/dense/bias", entry) +
                                       std::string(4, '\0'));
    return io::parse_tf_index(raw(table), "x.index");
  };
  const auto index = parse(12);
  REQUIRE_MESSAGE(index.has_value(), index.error().message);
  CHECK(index->entries[0].shape == Shape{3});
  for (const uint64_t wrong : {0u, 8u, 16u}) CHECK_FALSE(parse(wrong).has_value());
}

TEST_CASE("a shard index may not lead out of its folder") {
  const auto index = io::parse_shard_index(R"({"weight_map":{"b":"m-2.safetensors","a":"m-1.safetensors"}})");
  REQUIRE(index.has_value());
  CHECK(index->shards == std::vector<std::string>{"m-1.safetensors", "m-2.safetensors"});
  CHECK(index->shard_of.at("b") == "m-2.safetensors");
  for (const char* name : {"../x.safetensors", "/x.safetensors", "a/x.safetensors", "..\\x.safetensors",
                           ".safetensors", "c:x.safetensors", "config.json", ""})
    CHECK_FALSE(io::parse_shard_index("{\"weight_map\":{\"a\":\"" + std::string(name) + "\"}}").has_value());
  CHECK_FALSE(io::parse_shard_index(R"({"weight_map":{}})").has_value());
}

TEST_CASE("files are known by their first bytes") {
  CHECK(io::foreign_format(raw("PK\x03\x04zz")).find("zip") != std::string_view::npos);
  CHECK(io::foreign_format(raw("  <!doctype html>")).find("HTML") != std::string_view::npos);
  CHECK(io::foreign_format(raw("version https://git-lfs.github.com/spec/v1")).find("LFS") != std::string_view::npos);
  CHECK(io::foreign_format(raw("\x01\x02\x03")).empty());
}

TEST_CASE("config.json: sizes, defaults, labels") {
  const auto config = io::parse_config(
      R"({"num_hidden_layers":2,"num_attention_heads":4,"hidden_size":32,"id2label":{"0":"no","1":"yes"}})");
  REQUIRE(config.has_value());
  CHECK(config->layers == 2);
  CHECK(config->head_size() == 8);
  CHECK(config->intermediate == 3072);
  CHECK(config->segments == 2);
  CHECK(config->layer_norm_eps == 1e-12);
  CHECK(config->activation == nn::Activation::kGelu);
  CHECK(config->labels == std::vector<std::string>{"no", "yes"});
}

}  // namespace nullscope::test
