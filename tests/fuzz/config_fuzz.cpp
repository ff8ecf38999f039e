// Any bytes as config.json. What must hold: a config that is read makes sense.
#include <cstdint>
#include <cstdlib>

#include "io/model_files.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace nullscope;
  const auto config = io::parse_config({reinterpret_cast<const char*>(data), size});
  const bool kept = config ? config->layers > 0 && config->heads > 0 && config->hidden % config->heads == 0 &&
                                 config->vocabulary > 0 && config->positions > 0 && config->segments >= 0 &&
                                 config->layer_norm_eps >= 0 && config->layer_norm_eps <= 1
                           : !config.error().message.empty();
  if (!kept) std::abort();
  return 0;
}
