// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The handlers that instructions.def names, and what their details mean.
#pragma once

#include "frontend/ptx/grammar.h"

namespace us::frontend::ptx {

// What a handler is told beside the operation has a type of the handler's own, so that a row with another handler's
// operation does not compile.
enum class IntegerBinary { Add, AddSat, Sub, SubSat, MulLow, MulHigh, Divide, Remainder, Min, Max };
enum class IntegerUnary { Abs, Negate, PopulationCount, LeadingZeros, Reverse };
enum class FloatBinary { Add, Sub, Mul, Div, Min, Max };
enum class FloatUnary { Abs, Negate, Reciprocal, SquareRoot, ReciprocalRoot };
enum class HalfBinary { Add, Sub, Mul, Min, Max };
enum class HalfUnary { Abs, Negate };
enum class MixedSum { Add, Sub };
enum class Logic { And, Or, Xor };
enum class Shift { Left, Right };
enum class VideoOperation { Add, Sub, AbsoluteDifference, Min, Max, Average, Set };
enum class Ordering { Weak, Volatile, Relaxed, Acquire, Release };

#define US_HANDLER(name, ...)                                                                                          \
  Expected<void> name(FunctionTranslation &function, const Operation &operation __VA_OPT__(, ) __VA_ARGS__);
// integer_arithmetic.cpp
US_HANDLER(integerBinary, IntegerBinary)
US_HANDLER(integerUnary, IntegerUnary)
US_HANDLER(multiplyWide)
US_HANDLER(shortPairs, IntegerBinary)
US_HANDLER(multiplyAdd, IntegerBinary)
US_HANDLER(multiply24)
US_HANDLER(sumOfDifference)
// bit_fields.cpp
US_HANDLER(findBit)
US_HANDLER(extractField)
US_HANDLER(insertField)
US_HANDLER(permuteBytes)
US_HANDLER(funnelShift)
US_HANDLER(threeInputLogic)
US_HANDLER(threeInputTest)
US_HANDLER(permuteByMode)
US_HANDLER(findNthSet)
US_HANDLER(makeMask)
US_HANDLER(extendFrom)
// float_arithmetic.cpp
US_HANDLER(floatBinary, FloatBinary)
US_HANDLER(floatUnary, FloatUnary)
US_HANDLER(fusedMultiplyAdd)
US_HANDLER(floatPairs, FloatBinary)
US_HANDLER(fusedPairs)
US_HANDLER(extremeOfThree)
US_HANDLER(testProperty)
US_HANDLER(copySign)
// half_arithmetic.cpp
US_HANDLER(halfBinary, HalfBinary)
US_HANDLER(halfUnary, HalfUnary)
US_HANDLER(halfFusedMultiplyAdd)
US_HANDLER(halfApproximate)
US_HANDLER(mixedSum, MixedSum)
US_HANDLER(mixedMultiplyAdd)
// comparison.cpp
US_HANDLER(setRegister)
US_HANDLER(setPredicate)
US_HANDLER(setPredicates)
US_HANDLER(setPair)
US_HANDLER(select)
US_HANDLER(selectBySign)
// logic.cpp
US_HANDLER(logic, Logic)
US_HANDLER(logicalNot)
US_HANDLER(shift, Shift)
// memory.cpp
US_HANDLER(load, Ordering)
US_HANDLER(store, Ordering)
US_HANDLER(makePolicy)
// addresses.cpp
US_HANDLER(move)
US_HANDLER(moveVector)
US_HANDLER(isSpace)
US_HANDLER(allocateOnStack)
US_HANDLER(stackPointer)
US_HANDLER(convertAddress)
// clusters.cpp
US_HANDLER(arriveAtCluster)
US_HANDLER(waitForCluster)
US_HANDLER(mapAddress)
US_HANDLER(rankOfAddress)
US_HANDLER(storeAsync)
US_HANDLER(reduceAsync)
// atomics.cpp
US_HANDLER(atomic)
US_HANDLER(compareAndSwap)
US_HANDLER(atomicHalf)
US_HANDLER(atomicVector)
// video.cpp
US_HANDLER(videoBinary, VideoOperation)
US_HANDLER(videoShift)
US_HANDLER(videoMultiplyAdd)
US_HANDLER(videoLanes, VideoOperation)
// async_copies.cpp
US_HANDLER(copyAsync)
US_HANDLER(copiesArrive)
US_HANDLER(barrierObjectInit)
US_HANDLER(barrierObjectArrive)
US_HANDLER(barrierObjectTest)
US_HANDLER(barrierObjectPending)
US_HANDLER(barrierObjectBytes)
// bulk_copies.cpp
US_HANDLER(copyBulk)
US_HANDLER(reduceBulk)
// tensor_copies.cpp
US_HANDLER(loadTensor)
US_HANDLER(storeTensor)
// carries.cpp
US_HANDLER(withCarry)
US_HANDLER(dotProduct)
// approximations.cpp
US_HANDLER(approximate)
// textures.cpp
US_HANDLER(sampleTexture)
US_HANDLER(queryTexture)
// surfaces.cpp
US_HANDLER(loadSurface)
US_HANDLER(storeSurface)
US_HANDLER(storeFormatted)
US_HANDLER(reduceSurface)
// conversion.cpp
US_HANDLER(convert)
US_HANDLER(convertAndPack)
// narrow_conversion.cpp
US_HANDLER(convertToHalf)
US_HANDLER(convertToTf32)
US_HANDLER(convertToBytes)
US_HANDLER(convertFromBytes)
// matrices.cpp
US_HANDLER(multiplyMatrices)
US_HANDLER(multiplySparse)
US_HANDLER(multiplyInQuads)
US_HANDLER(loadMatrices)
US_HANDLER(storeMatrices)
US_HANDLER(moveMatrix)
US_HANDLER(loadFragment)
US_HANDLER(storeFragment)
US_HANDLER(multiplyDescribed)
// barriers.cpp
US_HANDLER(barrier)
US_HANDLER(barrierArrive)
US_HANDLER(barrierReduce)
/// True of a barrier that only some threads of a block may come to, or whose number the text does not say.
bool isNamedBarrier(const Instruction &instruction);
// control_flow.cpp
US_HANDLER(branch)
US_HANDLER(branchIndexed)
US_HANDLER(leave)
US_HANDLER(fence)
US_HANDLER(trap)
US_HANDLER(nothing)
#undef US_HANDLER

} // namespace us::frontend::ptx
