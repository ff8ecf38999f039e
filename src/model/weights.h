// BertWeights: the parameters of one model, stored as the checkpoint has them.
//
// Linear weights are [out, in], y = x W^T + b. F16 tensors stay F16; BF16, F32 and F64
// become F32 (F64 is kept when a loader is asked to, for tests in double). A weight
// either owns its bytes or shares the buffer of the shard it came from. Layers may be
// absent while a model streams in: `layer_ready` says which can run.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "model/config.h"
#include "nn/weight_view.h"

namespace nullscope::model {

// One parameter tensor; copies share the bytes.
class Weight {
 public:
  Weight() = default;
  Weight(std::shared_ptr<const std::byte> bytes, nn::WeightType type, int64_t rows, int64_t cols)
      : bytes_(std::move(bytes)), view_{bytes_.get(), type, rows, cols} {}
  bool present() const { return view_.data != nullptr; }
  const nn::WeightView& view() const { return view_; }
  int64_t rows() const { return view_.rows; }
  int64_t cols() const { return view_.cols; }

 private:
  std::shared_ptr<const std::byte> bytes_;
  nn::WeightView view_;
};

struct LinearWeights {
  Weight weight;  // [out, in]
  Weight bias;    // [out]
};

struct LayerNormWeights {
  Weight gamma;  // [C]
  Weight beta;   // [C]
};

struct EmbeddingWeights {
  Weight word;      // [V, C]
  Weight position;  // [P, C]
  Weight segment;   // [segments, C]; absent when the model has no segment table
  LayerNormWeights norm;
};

struct LayerWeights {
  LinearWeights query, key, value;  // [C, C], [C]
  LinearWeights self_output;        // [C, C], [C]   BertSelfOutput.dense (W_O)
  LayerNormWeights attention_norm;
  LinearWeights intermediate;       // [F, C], [F]
  LinearWeights output;             // [C, F], [C]   BertOutput.dense
  LayerNormWeights output_norm;
};

struct MlmHeadWeights {
  LinearWeights transform;  // [C, C], [C]
  LayerNormWeights norm;
  LinearWeights decoder;    // [V, C], [V]; the weight is the word embedding when tied
};

struct BertWeights {
  BertConfig config;
  EmbeddingWeights embeddings;
  std::vector<LayerWeights> layers;         // L of them, each maybe not there yet
  std::optional<MlmHeadWeights> mlm;
  std::optional<LinearWeights> pooler;      // [C, C], [C]
  std::optional<LinearWeights> nsp;         // [2, C], [2]
  std::optional<LinearWeights> classifier;  // [classes, C], [classes]

  // A loader may still bring heads; a pass waits for them after its last layer.
  bool heads_pending = false;

  bool embeddings_ready() const {
    return embeddings.word.present() && embeddings.position.present() && embeddings.norm.gamma.present() &&
           embeddings.norm.beta.present() && (config.segments == 0 || embeddings.segment.present());
  }
  bool layer_ready(int layer) const {
    return layer >= 0 && static_cast<size_t>(layer) < layers.size() &&
           layers[static_cast<size_t>(layer)].query.weight.present();
  }
};

}  // namespace nullscope::model
