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
  run(tar --extract --gzip --file control.tar.gz)
  file(REMOVE "${folder}/control.tar.gz" "${folder}/postinst" "${folder}/postrm")
  file(GLOB members RELATIVE "${folder}" "${folder}/*")
  # Written anew: tar's own deletion loses other members of such an archive.
  run(tar --create --use-compress-program=gzip\ --no-name --owner=root:0 --group=root:0 --mode=u=rw,go=r --file control.tar.gz ${members})
  run(ar r "${package}" control.tar.gz)
endforeach()
