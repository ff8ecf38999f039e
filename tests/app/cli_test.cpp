// The command line as a program: exit statuses, sentences, and numbers in files, on the toy model.
#include <cstdio>
#include <filesystem>
#include <string>

#include <sys/wait.h>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "io/folder.h"
#include "io/safetensors.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

using namespace nullscope;

namespace {

struct Ended {
  int status;
  std::string out;  // standard output and standard error
};

Ended run(const std::string& arguments) {
  FILE* pipe = popen((std::string(NULLSCOPE_PROGRAM) + " " + arguments + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  Ended ended{0, {}};
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) ended.out += static_cast<char>(c);
  ended.status = WEXITSTATUS(pclose(pipe));
  return ended;
}

const std::string kToy = " --model " + test::data_path("golden/toy");

// --ids and --segments of a golden text.
std::string ids_of(const std::string& text) {
  const nlohmann::json input = test::read_json("golden/toy/" + text + "/input.json");
  const auto list = [](const nlohmann::json& numbers) {
    std::string out;
    for (const int n : numbers) out += (out.empty() ? "" : ",") + std::to_string(n);
    return out;
  };
  return " --ids " + list(input["ids"]) + " --segments " + list(input["segments"]);
}

TensorBundle read(const std::filesystem::path& path) {
  const auto bytes = io::read_file(path);
  REQUIRE(bytes);
  auto bundle = io::read_bundle(bytes->view(), path.string());
  REQUIRE(bundle);
  return *std::move(bundle);
}

}  // namespace

TEST_CASE("help, usage and bad input have their exit statuses") {
  CHECK(run("--help").status == 0);
  for (const char* command : {"tokenize", "trace", "attention", "identity", "convert", "verify", "bench", "snapshot"})
    CHECK(run(std::string(command) + " --help").status == 0);
  CHECK(run("").status == 2);
  CHECK(run("nonsense").status == 2);
  CHECK(run("trace --text a --out x.png").status == 2);
  const Ended missing = run("trace --text a --model nowhere");
  CHECK(missing.status == 1);
  CHECK(missing.out.find("nowhere") != std::string::npos);
  const Ended outside = run("trace --ids 1,99999" + kToy);
  CHECK(outside.status == 1);
  CHECK(outside.out.find("99999") != std::string::npos);
  CHECK(run("trace" + kToy).status == 1);
}

TEST_CASE("attention and identity of the toy model are golden") {
  const test::TemporaryFolder folder;
  const std::string out = (folder.path() / "a.safetensors").string();
  for (const char* text : {"short", "pair", "long"}) {
    CAPTURE(text);
    const TensorBundle golden = test::golden(std::string("toy/") + text + "/maps");
    REQUIRE(run("attention --variant all" + kToy + ids_of(text) + " --out " + out).status == 0);
    const TensorBundle found = read(out);
    int compared = 0;
    for (const auto& [name, tensor] : found.tensors) {
      const AnyTensor* expected = golden.find(name);
      if (expected == nullptr || name.find("residual") != name.npos || name.find(".null") != name.npos) continue;
      const Tensor<double> a = tensor.to_double().value(), b = expected->to_double().value();
      REQUIRE_MESSAGE(a.shape() == b.shape(), name);
      double largest = 0, worst = 0;
      for (int64_t i = 0; i < b.size(); ++i) {
        largest = std::max(largest, std::abs(b.data()[i]));
        worst = std::max(worst, std::abs(a.data()[i] - b.data()[i]));
      }
      CHECK_MESSAGE(worst <= test::float_tolerance("effective_attention", test::GoldenModel::kToy) * largest, name);
      ++compared;
    }
    CHECK(compared >= 20);
    REQUIRE(run("identity --distance l2" + kToy + ids_of(text) + " --out " + out).status == 0);
    const TensorBundle identity = read(out);
    CHECK(test::integers(identity, "token_identity.hidden_states_0.l2.nearest").values().size() > 0);
    const Tensor<int64_t> nearest = test::integers(identity, "token_identity.hidden_states_0.l2.nearest");
    const Tensor<int64_t> expected = test::integers(golden, "token_identity.hidden_states_0.l2.nearest");
    CHECK(std::equal(nearest.data(), nearest.data() + nearest.size(), expected.data()));
  }
}

TEST_CASE("every format of --out is written, and trace has the golden names") {
  const test::TemporaryFolder folder;
  for (const char* ending : {".safetensors", ".npz", ".json", ".csv"}) {
    const auto path = folder.path() / (std::string("t") + ending);
    REQUIRE(run("trace" + kToy + ids_of("single") + " --out " + path.string()).status == 0);
    CHECK(std::filesystem::file_size(path) > 1000);
  }
  const TensorBundle found = read(folder.path() / "t.safetensors");
  for (const auto& [name, tensor] : test::golden("toy/single/forward").tensors) {
    const AnyTensor* mine = found.find(name);
    REQUIRE_MESSAGE(mine != nullptr, name);
    CHECK_MESSAGE(mine->shape == tensor.shape, name);
  }
  const io::Bytes json = io::read_file(folder.path() / "t.json").value();
  CHECK(nlohmann::json::parse(json.text(), nullptr, false)["tensors"].contains("hidden_states"));
}
