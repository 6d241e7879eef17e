# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Headers of others that most of our files include, compiled once: most of the time of a build was spent reading them.
# Their names stand here and in no header of ours, so that the result is the same in every checkout and ccache finds what
# was compiled with it. A file includes what it needs all the same: GCC and the tidy preset read each file by itself.

set(US_PRECOMPILE OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT CMAKE_CXX_CLANG_TIDY)
  set(US_PRECOMPILE ON)
endif()

# us_precompile(SET OPTIONS … HEADERS …): the options must be those of the targets that use the set.
function(us_precompile set)
  if(NOT US_PRECOMPILE)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "OPTIONS;HEADERS" ${ARGN})
  string(TOUPPER "${CMAKE_BUILD_TYPE}" configuration)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${configuration}}")
  list(TRANSFORM ARG_HEADERS PREPEND "--include=") # as one word
  set(made ${CMAKE_BINARY_DIR}/precompiled/${set}.pch)
  add_custom_command(OUTPUT ${made} VERBATIM COMMAND_EXPAND_LISTS
    COMMAND ${CMAKE_CXX_COMPILER} ${flags} ${CMAKE_CXX23_STANDARD_COMPILE_OPTION} ${ARG_OPTIONS}
      $<TARGET_PROPERTY:us_options,INTERFACE_COMPILE_OPTIONS> -Xclang -fno-pch-timestamp -fpch-instantiate-templates
      -MD -MF ${made}.d -MT ${made} -x c++-header ${ARG_HEADERS} /dev/null -o ${made}
    DEPFILE ${made}.d COMMENT "Precompiling headers: ${set}")
  add_custom_target(us_precompiled_${set} DEPENDS ${made})
endfunction()

# us_use_precompiled(TARGET SET)
function(us_use_precompiled target set)
  if(NOT US_PRECOMPILE)
    return()
  endif()
  add_dependencies(${target} us_precompiled_${set})
  # From the build folder, where compilers are started.
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -include-pch -Xclang precompiled/${set}.pch>")
endfunction()

file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/precompiled)
set(standard_headers algorithm array atomic bit cerrno charconv chrono cmath condition_variable cstddef cstdint cstdio cstdlib
  cstring deque expected filesystem fstream functional iterator limits map memory mutex new optional set span sstream string
  string_view thread type_traits unordered_map unordered_set utility variant vector)
us_precompile(library OPTIONS -fPIC HEADERS ${standard_headers})
us_precompile(program OPTIONS -fPIE HEADERS ${standard_headers})
us_precompile(test OPTIONS -fPIE -DGTEST_HAS_PTHREAD=1 HEADERS ${standard_headers} gmock/gmock.h gtest/gtest.h)
us_precompile(llvm
  OPTIONS -fPIC -fno-rtti -D__STDC_CONSTANT_MACROS -D__STDC_FORMAT_MACROS -D__STDC_LIMIT_MACROS -isystem ${LLVM_INCLUDE_DIRS}
  HEADERS ${standard_headers}
    llvm/ADT/ArrayRef.h llvm/ADT/DenseMap.h llvm/ADT/MapVector.h llvm/ADT/PostOrderIterator.h llvm/ADT/SetVector.h
    llvm/ADT/SmallPtrSet.h llvm/ADT/SmallVector.h llvm/ADT/StringExtras.h llvm/ADT/StringRef.h
    llvm/Analysis/AssumptionCache.h llvm/Analysis/LoopInfo.h llvm/Analysis/ScalarEvolution.h
    llvm/Analysis/ScalarEvolutionExpressions.h llvm/Analysis/ValueTracking.h llvm/IR/CFG.h llvm/IR/Constants.h
    llvm/IR/DataLayout.h llvm/IR/DebugInfoMetadata.h llvm/IR/Dominators.h llvm/IR/Function.h
    llvm/IR/GlobalVariable.h llvm/IR/IRBuilder.h llvm/IR/InstIterator.h llvm/IR/InstrTypes.h llvm/IR/Instructions.h
    llvm/IR/IntrinsicInst.h llvm/IR/IntrinsicsNVPTX.h llvm/IR/IntrinsicsX86.h llvm/IR/LLVMContext.h
    llvm/IR/MDBuilder.h llvm/IR/Module.h llvm/IR/Operator.h llvm/IR/PassManager.h llvm/IR/PatternMatch.h
    llvm/IR/ValueHandle.h llvm/IR/Verifier.h llvm/Passes/PassBuilder.h llvm/Support/MemoryBuffer.h
    llvm/Support/raw_ostream.h llvm/Target/TargetMachine.h llvm/Transforms/Utils/BasicBlockUtils.h
    llvm/Transforms/Utils/Cloning.h llvm/Transforms/Utils/Local.h llvm/Transforms/Utils/LoopSimplify.h
    llvm/Transforms/Utils/LoopUtils.h)
