# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Headers that most files of a folder include, compiled once: most of the time of a build was spent reading them. A set
# may continue another. A file includes what it needs all the same: GCC and the tidy preset read each file by itself.
# A set holds paths of its checkout, so ccache looks at what the headers say instead, beside it: the .sum file.

set(US_PRECOMPILE OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT CMAKE_CXX_CLANG_TIDY)
  set(US_PRECOMPILE ON)
endif()

# us_precompile(SET [BASE set] OPTIONS … HEADERS …): the options must be those of the targets that use the set.
function(us_precompile set)
  if(NOT US_PRECOMPILE)
    return()
  endif()
  cmake_parse_arguments(ARG "" "BASE" "OPTIONS;HEADERS" ${ARGN})
  string(TOUPPER "${CMAKE_BUILD_TYPE}" configuration)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${configuration}}")
  list(TRANSFORM ARG_HEADERS PREPEND "--include=") # as one word
  get_target_property(definitions us_options INTERFACE_COMPILE_DEFINITIONS)
  list(TRANSFORM definitions PREPEND -D)
  # From the build folder, so that what the preprocessor says names no checkout.
  file(RELATIVE_PATH root ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR})
  set(made ${CMAKE_BINARY_DIR}/precompiled/${set}.pch)
  set(compile ${CMAKE_CXX_COMPILER} ${flags} ${CMAKE_CXX23_STANDARD_COMPILE_OPTION} ${ARG_OPTIONS} -I${root}
    $<TARGET_PROPERTY:us_options,INTERFACE_COMPILE_OPTIONS> ${definitions})
  set(base)
  set(base_files)
  if(ARG_BASE)
    set(base -Xclang -include-pch -Xclang precompiled/${ARG_BASE}.pch)
    set(base_files ${CMAKE_BINARY_DIR}/precompiled/${ARG_BASE}.pch)
  endif()
  set(all_headers ${US_PRECOMPILED_${ARG_BASE}} ${ARG_HEADERS})
  set(US_PRECOMPILED_${set} ${all_headers} PARENT_SCOPE)
  add_custom_command(OUTPUT ${made} ${made}.sum DEPENDS ${base_files} VERBATIM COMMAND_EXPAND_LISTS
    COMMAND ${compile} ${base} -Xclang -fno-pch-timestamp -fpch-instantiate-templates
      -MD -MF ${made}.d -MT ${made} -x c++-header ${ARG_HEADERS} precompiled/none.h -o ${made}
    COMMAND ${compile} -E -dD -x c++-header ${all_headers} precompiled/none.h -o ${made}.sum
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR} DEPFILE ${made}.d COMMENT "Precompiling headers: ${set}")
  add_custom_target(us_precompiled_${set} DEPENDS ${made})
endfunction()

# us_use_precompiled(TARGET SET)
function(us_use_precompiled target set)
  if(NOT US_PRECOMPILE)
    return()
  endif()
  add_dependencies(${target} us_precompiled_${set})
  # From the build folder, where compilers are started. What libstdc++ says in its headers of warnings it wants to hear no
  # more is forgotten in a set: of its own deprecated functions.
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-Wno-deprecated-declarations>"
    "$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -include-pch -Xclang precompiled/${set}.pch>")
endfunction()

# us_compile_together(TARGET [ALONE a.cpp …]): several files at a time, as what each uses of LLVM's and C++'s headers takes
# longer to compile than what it says. So a name of one file's own is not its neighbor's, too. Not where each file is
# looked at by itself.
set(US_TOGETHER 65536) # bytes of files, about
function(us_compile_together target)
  if(CMAKE_CXX_CLANG_TIDY)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "ALONE" ${ARGN})
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  set(group 0)
  set(bytes 0)
  foreach(source IN LISTS sources)
    if(source IN_LIST ARG_ALONE)
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE path)
    file(SIZE ${path} size)
    math(EXPR bytes "${bytes} + ${size}")
    if(bytes GREATER US_TOGETHER)
      math(EXPR group "${group} + 1")
      set(bytes ${size})
    endif()
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# What a set is a header of: nothing. Of /dev/null ccache would not remember that a file was compiled with it.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled/none.h CONTENT "// Nothing.\n")
set(standard_headers algorithm array atomic bit cerrno charconv chrono cmath condition_variable cstddef cstdint cstdio cstdlib
  cstring deque expected filesystem fstream functional iterator limits map memory mutex new optional set span sstream string
  string_view thread type_traits unordered_map unordered_set utility variant vector)
set(api_headers icd/common/entry_guard.h runtime/core/runtime.h)
us_precompile(library OPTIONS -fPIC HEADERS ${standard_headers} nlohmann/json.hpp runtime/device/device.h)
us_precompile(opencl BASE library OPTIONS -fPIC HEADERS ${api_headers} icd/common/info_table.h icd/opencl/api.h
  icd/opencl/check/command_checks.h icd/opencl/context.h icd/opencl/enqueue.h icd/opencl/entry_points.h icd/opencl/memory.h)
us_precompile(cuda BASE library OPTIONS -fPIC HEADERS ${api_headers} icd/cuda/api_checks.h icd/cuda/device.h icd/cuda/entry_points.h
  icd/cuda/event.h icd/cuda/memory.h)
us_precompile(program OPTIONS -fPIE HEADERS ${standard_headers} nlohmann/json.hpp)
us_precompile(test OPTIONS -fPIE -DGTEST_HAS_PTHREAD=1 HEADERS ${standard_headers} gmock/gmock.h gtest/gtest.h)
set(llvm_options -fPIC -fno-rtti -D__STDC_CONSTANT_MACROS -D__STDC_FORMAT_MACROS -D__STDC_LIMIT_MACROS
  -isystem ${LLVM_INCLUDE_DIRS})
us_precompile(llvm
  OPTIONS ${llvm_options}
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
us_precompile(codegen BASE llvm OPTIONS ${llvm_options} HEADERS emulator/codegen/analysis/analysis_table.h
  emulator/codegen/analysis/uniformity.h emulator/codegen/codegen.h emulator/codegen/instrument/accesses.h
  emulator/codegen/kernel_description.h emulator/codegen/machine_calls.h)
us_precompile(ptx BASE llvm OPTIONS ${llvm_options} HEADERS frontend/ptx/calls.h frontend/ptx/handlers.h
  frontend/ptx/parser.h frontend/ptx/textures.h frontend/ptx/warp.h)
us_precompile(spirv BASE llvm OPTIONS ${llvm_options} HEADERS frontend/frontend.h frontend/spirv/builtin_calls.h
  frontend/spirv/function_translation.h frontend/spirv/operands.h)
us_precompile(clang BASE llvm OPTIONS ${llvm_options} HEADERS
    clang/AST/ASTConsumer.h clang/AST/ASTContext.h clang/AST/Attr.h clang/AST/Decl.h clang/AST/DeclCXX.h
    clang/AST/DeclGroup.h clang/AST/Expr.h clang/AST/Mangle.h clang/Basic/Diagnostic.h clang/Basic/DiagnosticOptions.h
    clang/Basic/OpenCLOptions.h clang/Basic/SourceManager.h clang/CodeGen/CodeGenAction.h clang/CodeGen/ModuleBuilder.h
    clang/Frontend/CompilerInstance.h clang/Frontend/CompilerInvocation.h clang/Frontend/FrontendAction.h
    clang/Frontend/FrontendActions.h clang/Frontend/TextDiagnosticPrinter.h clang/Frontend/Utils.h clang/Lex/Lexer.h
    clang/Lex/Preprocessor.h clang/Lex/PreprocessorOptions.h clang/Sema/Lookup.h clang/Sema/Sema.h clang/Sema/SemaCUDA.h)
