// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a pointer may point into, kept beside it: where it began says so, whatever is added to it later.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Operator.h>

#include <cstdint>
#include <string>

namespace us::codegen {

/// Memory that a pointer was made from, as the code can name it.
struct PointedObject {
  const char *what = nullptr; ///< "argument", "private", "local", "constant", "variable"; null: it cannot
  std::string name = {};
  unsigned argument = 0;
};

struct PointerBounds {
  /// Where the memory begins, and its bytes, as 64-bit numbers. Null size: nothing can be said, and nothing is checked.
  llvm::Value *begin = nullptr, *size = nullptr;
  /// Bytes that may be written: `size`, or 0 of what may only be read. `size` is 0 where nothing may be read.
  llvm::Value *writable = nullptr;
  /// Bytes that are there to be touched, whatever may be done with them; null or 0: the two say it.
  llvm::Value *whole = nullptr;
  /// The variable that the pointer was made from by known steps: its address need not be asked for, and it can stay in
  /// registers. `begin` is null then.
  llvm::Value *variable = nullptr;
  PointedObject object = {};
};

/// Makes bounds in one function, where they are first asked for; they hold wherever the pointer does.
class BoundsOfPointers {
public:
  explicit BoundsOfPointers(llvm::Function &kernel);

  PointerBounds of(llvm::Value *pointer);
  /// `now` has taken the place of `before`.
  void replaced(llvm::Value *before, llvm::Value *now);
  /// How far `pointer` is behind where its memory begins: a 64-bit number, huge where it lies before.
  llvm::Value *distance(llvm::IRBuilderBase &builder, llvm::Value *pointer, const PointerBounds &bounds);

private:
  PointerBounds make(llvm::Value *pointer);
  PointerBounds ofArgument(llvm::Argument &argument);
  PointerBounds ofVariable(llvm::Value &variable, uint64_t size, const char *what);
  PointerBounds ofShared(llvm::GEPOperator &step);
  PointerBounds asked(llvm::Value *pointer, llvm::Instruction &before);
  PointerBounds merged(llvm::PHINode &pointer);
  PointerBounds merged(llvm::SelectInst &pointer);
  /// As numbers in any case.
  PointerBounds numbers(PointerBounds bounds);
  llvm::Instruction &entry();

  llvm::Function &kernel_;
  const llvm::DataLayout &layout_;
  llvm::DenseMap<llvm::Value *, PointerBounds> known_;
};

} // namespace us::codegen
