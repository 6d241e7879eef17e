# CPack writes scripts that call ldconfig for every library below /usr/lib. Ours lie in a folder of their own and are opened
# by their paths, so the scripts would do nothing, but for one of them dpkg would remember a removed package. This runs after
# packaging and takes them out again.
function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${folder}" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(package IN LISTS CPACK_PACKAGE_FILES)
  set(folder "${CPACK_TEMPORARY_DIRECTORY}/control-without-scripts")
  file(REMOVE_RECURSE "${folder}")
  file(MAKE_DIRECTORY "${folder}")
  run(ar x "${package}" control.tar.gz)
  run(gzip --decompress control.tar.gz)
  execute_process(COMMAND tar --list --file control.tar WORKING_DIRECTORY "${folder}" OUTPUT_VARIABLE members
    COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]*(postinst|postrm)" scripts "${members}")
  if(scripts)
    run(tar --delete --file control.tar ${scripts})
    run(gzip --no-name control.tar)
    run(ar r "${package}" control.tar.gz)
  endif()
endforeach()
