# us_text_tests(PREFIX FOLDER): each file of FOLDER with RUN lines (*.ll, *.cl, *.spvasm, *.ptx) is one ctest test.
find_program(US_FILECHECK NAMES FileCheck-19 FileCheck HINTS ${US_LLVM_ROOT}/bin)
find_program(US_SPIRV_AS NAMES spirv-as REQUIRED)
function(us_text_tests prefix folder)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.ll ${folder}/*.cl
    ${folder}/*.spvasm ${folder}/*.ptx)
  foreach(file IN LISTS files)
    add_test(NAME ${prefix}/${file} COMMAND ${CMAKE_SOURCE_DIR}/tests/support/run_filecheck.sh ${folder}/${file}
      FileCheck=${US_FILECHECK} us-opt=$<TARGET_FILE:us-opt> us-run=$<TARGET_FILE:us-run> clang=${US_CLANG} spirv-as=${US_SPIRV_AS})
  endforeach()
endfunction()
