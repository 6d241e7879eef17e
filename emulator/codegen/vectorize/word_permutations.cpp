// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/vectorize/word_permutations.h"

#include "emulator/codegen/vectorize/cost.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicsX86.h>

namespace us::codegen {

const WordPermutations *wordPermutations(abi::Target target) {
  using namespace llvm;
  static constexpr WordPermutations kAvx2{8, false, Intrinsic::x86_avx2_permd, Intrinsic::not_intrinsic};
  static constexpr WordPermutations kShort{8, true, Intrinsic::x86_avx2_permd, Intrinsic::x86_avx512_vpermi2var_d_256};
  static constexpr WordPermutations kLong{16, true, Intrinsic::x86_avx512_permvar_si_512,
                                          Intrinsic::x86_avx512_vpermi2var_d_512};
  const VectorCosts *const costs = vectorCosts(target);
  if (!costs || !costs->permutesWords()) return nullptr;
  if (!costs->hasMaskRegisters()) return &kAvx2;
  return abi::targetInfo(target).vectorBits < 512 ? &kShort : &kLong;
}

llvm::Value *registerOf(llvm::IRBuilderBase &builder, const WordPermutations &by, llvm::Value *vector, unsigned first) {
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  if (lanes == by.lanes) return vector;
  llvm::SmallVector<int, 16> mask(by.lanes, llvm::PoisonMaskElem);
  for (unsigned lane = 0; lane < by.lanes && first + lane < lanes; ++lane) mask[lane] = int(first + lane);
  return builder.CreateShuffleVector(vector, mask);
}

llvm::Value *vectorOf(llvm::IRBuilderBase &builder, llvm::ArrayRef<llvm::Value *> registers, unsigned lanes) {
  llvm::Value *all = llvm::concatenateVectors(builder, registers);
  if (llvm::cast<llvm::FixedVectorType>(all->getType())->getNumElements() == lanes) return all;
  return builder.CreateShuffleVector(all, llvm::createSequentialMask(0, lanes, 0));
}

} // namespace us::codegen
