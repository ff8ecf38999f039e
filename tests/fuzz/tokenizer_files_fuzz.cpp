// Any bytes as vocab.txt, tokenizer.json and tokenizer_config.json, alone and beside sound files.
// What must hold: a tokenizer that loads encodes.
#include <cstdint>
#include <cstdlib>

#include "io/folder.h"
#include "io/model_files.h"

namespace {

using namespace nullscope;

void load(const io::TokenizerFiles& files) {
  const auto tokenizer = io::load_tokenizer(files);
  if (!tokenizer) {
    if (tokenizer.error().message.empty()) std::abort();
    return;
  }
  const auto encoding = tokenizer->encode("The caf\xC3\xA9, unaffable [MASK]");
  if (!encoding || encoding->ids.size() < 2) std::abort();
  for (const int id : encoding->ids)
    if (id < 0 || id >= tokenizer->vocabulary().size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const io::Bytes vocab = *io::read_file(NULLSCOPE_TEST_DATA "/cases/weights/base_vocab.txt");
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  load({.vocab_txt = text, .tokenizer_json = {}, .tokenizer_config_json = {}});
  load({.vocab_txt = {}, .tokenizer_json = text, .tokenizer_config_json = {}});
  load({.vocab_txt = vocab.text(), .tokenizer_json = text, .tokenizer_config_json = {}});
  load({.vocab_txt = vocab.text(), .tokenizer_json = {}, .tokenizer_config_json = text});
  return 0;
}
