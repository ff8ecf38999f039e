#include "nn/kernel_set.h"

#include <atomic>

#include "core/check.h"
#include "nn/linear.h"

namespace nullscope::nn {

extern const KernelSet<float> kBaseline_float;
extern const KernelSet<double> kBaseline_double;
#if defined(NULLSCOPE_X86_SETS)
extern const KernelSet<float> kAvx2_float, kAvx512_float;
extern const KernelSet<double> kAvx2_double, kAvx512_double;
#endif

namespace {

// The only state of the process here: which instructions it has.
std::atomic<InstructionSet>& in_use() {
  static std::atomic<InstructionSet> set = best_instruction_set();
  return set;
}

}  // namespace

bool runs_here(InstructionSet set) {
#if defined(NULLSCOPE_X86_SETS)
  if (set == InstructionSet::kAvx512)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") && runs_here(InstructionSet::kAvx2);
  if (set == InstructionSet::kAvx2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
#endif
  return set == InstructionSet::kBaseline;
}

InstructionSet best_instruction_set() {
  for (const InstructionSet set : {InstructionSet::kAvx512, InstructionSet::kAvx2})
    if (runs_here(set)) return set;
  return InstructionSet::kBaseline;
}

const char* instruction_set_name(InstructionSet set) {
  switch (set) {
    case InstructionSet::kAvx512: return "avx512";
    case InstructionSet::kAvx2: return "avx2";
    case InstructionSet::kBaseline: break;
  }
#if defined(__wasm_relaxed_simd__)
  return "wasm-relaxed-simd";
#elif defined(__wasm_simd128__)
  return "wasm-simd";
#elif defined(__aarch64__)
  return "neon";
#else
  return "sse2";
#endif
}

template <>
const KernelSet<float>& kernel_set<float>(InstructionSet set) {
  NULLSCOPE_CHECK(runs_here(set));
#if defined(NULLSCOPE_X86_SETS)
  if (set == InstructionSet::kAvx512) return kAvx512_float;
  if (set == InstructionSet::kAvx2) return kAvx2_float;
#endif
  return kBaseline_float;
}

template <>
const KernelSet<double>& kernel_set<double>(InstructionSet set) {
  NULLSCOPE_CHECK(runs_here(set));
#if defined(NULLSCOPE_X86_SETS)
  if (set == InstructionSet::kAvx512) return kAvx512_double;
  if (set == InstructionSet::kAvx2) return kAvx2_double;
#endif
  return kBaseline_double;
}

template <>
const KernelSet<float>& kernels<float>() { return kernel_set<float>(in_use()); }
template <>
const KernelSet<double>& kernels<double>() { return kernel_set<double>(in_use()); }

InstructionSet instruction_set_in_use() { return in_use(); }
void force_instruction_set(InstructionSet set) {
  NULLSCOPE_CHECK(runs_here(set));
  in_use() = set;
}

std::string_view instruction_set() { return instruction_set_name(instruction_set_in_use()); }

}  // namespace nullscope::nn
