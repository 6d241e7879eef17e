// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that a work-item has for itself, in registers: places in them that are constant, or chosen among few, need no
// memory, and no access that gathers or scatters what lanes have in different places.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// Private memory of the function of one work-item; what is in it at first does not matter, nor at the end.
struct PrivateArray {
  llvm::Value *memory;
  uint64_t bytes;
};

/// Bytes of the elements that all accesses are of; 0: they differ.
uint64_t elementSize(llvm::Value &memory);

/// Fills and copies of private arrays become loads and stores of elements.
void takeCopiesApart(llvm::ArrayRef<PrivateArray> arrays);

/// An element that is read at an index which a loop chooses anew in each turn is chosen with it.
///
///   before:  for (...) { least = v[i] < v[least] ? i : least; }
///   after:   x = v[least];  for (...) { isLess = v[i] < x;  least = isLess ? i : least;  x = isLess ? v[i] : x; }
void chooseWithIndex(llvm::Function &function, llvm::ArrayRef<PrivateArray> arrays);

/// Whether all accesses are of elements, and few enough for registers.
bool fitsRegisters(const PrivateArray &array);

/// All loads and stores; none: something else is done with the memory.
llvm::SmallVector<llvm::Instruction *, 32> accessesIn(const PrivateArray &array);

/// Whether no access has to choose among elements.
bool hasConstantPlaces(const PrivateArray &array);

/// Loops that go over arrays (the place of an access depends on the turn) are taken apart, turn by turn. False: they
/// are too many instructions.
bool unrollOverArrays(llvm::Function &function, llvm::ArrayRef<PrivateArray> arrays,
                      llvm::FunctionAnalysisManager &manager);

/// An element becomes a value; one whose place is not constant is chosen among those that it may be.
///
///   before:  least = v[i] < v[least] ? i : least;  x = v[least];
///   after:   isLess = vi < x;  least = isLess ? i : least;  x = isLess ? vi : x;
void putInRegisters(llvm::Function &function, llvm::ArrayRef<PrivateArray> arrays,
                    llvm::FunctionAnalysisManager &manager);

} // namespace us::codegen
