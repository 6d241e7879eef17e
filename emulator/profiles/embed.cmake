# Writes OUTPUT: C++ rows {"word", R"json(text)json"} of every profile in DIRECTORY.
file(GLOB profiles ${DIRECTORY}/*.json)
set(rows "")
foreach(profile ${profiles})
  get_filename_component(word ${profile} NAME_WE)
  file(READ ${profile} text)
  string(APPEND rows "{\"${word}\", R\"json(${text})json\"},\n")
endforeach()
file(WRITE ${OUTPUT} "${rows}")
