// BertConfig: the sizes and switches of a BERT-architecture checkpoint.
#pragma once

#include <string>
#include <vector>

#include "nn/activation.h"

namespace nullscope::model {

struct BertConfig {
  int layers = 12;         // L
  int heads = 12;          // H
  int hidden = 768;        // C
  int intermediate = 3072; // F
  int vocabulary = 30522;  // V
  int positions = 512;     // P
  int segments = 2;        // rows of the segment table; 0 when the model has none
  double layer_norm_eps = 1e-12;
  nn::Activation activation = nn::Activation::kGelu;
  std::vector<std::string> labels;  // of the classifier, empty when unnamed

  int head_size() const { return hidden / heads; }  // D
};

}  // namespace nullscope::model
