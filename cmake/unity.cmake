# Headers and templates are compiled once for all sources of a folder, up to eight at a time, which takes half of the
# time. The presets of script/build and script/test do so; `dev` compiles every source by itself, so that a missing
# include is found and a change is built quickly.
option(ALO_COMPILE_BY_FOLDER "Compile the sources of a folder together" OFF)

# alo_compile_by_folder(target [EXCEPT folder|source...]): the sources of each folder together, but for those named.
function(alo_compile_by_folder target)
  cmake_parse_arguments(PARSE_ARGV 1 BY "" "" EXCEPT)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ALO_COMPILE_BY_FOLDER} UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "[.]cpp$")
  foreach(source IN LISTS sources)
    get_filename_component(path ${source} ABSOLUTE)
    get_filename_component(folder ${path} DIRECTORY)
    file(RELATIVE_PATH name ${CMAKE_CURRENT_SOURCE_DIR} ${path})
    file(RELATIVE_PATH room ${CMAKE_CURRENT_SOURCE_DIR} ${folder})
    if(NOT name IN_LIST BY_EXCEPT AND NOT room IN_LIST BY_EXCEPT)
      string(MAKE_C_IDENTIFIER "of_${room}" group)
      math(EXPR count_${group} "0${count_${group}} + 1")
      math(EXPR part "(${count_${group}} - 1) / 8")
      if(part EQUAL 0)
        set(part "")
      endif()
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group}${part})
    endif()
  endforeach()
endfunction()
