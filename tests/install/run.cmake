# Fails unless the installed tree serves another project. See CMakeLists.txt for the variables.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    list(JOIN ARGV " " line)
    message(FATAL_ERROR "${line}\n${output}\nended with ${code}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
# The tree must serve from wherever it is moved to.
file(RENAME ${WORK}/first ${WORK}/prefix)
file(GLOB_RECURSE package_files ${WORK}/prefix/*.cmake ${WORK}/prefix/*.pc)
foreach(file IN LISTS package_files)
  file(READ ${file} text)
  foreach(folder ${BUILD} ${SOURCE} ${WORK})
    string(FIND "${text}" ${folder} position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "${file} holds the path ${folder}")
    endif()
  endforeach()
endforeach()

run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/project -B ${WORK}/build -G ${GENERATOR}
  -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}"
  -D CMAKE_BUILD_TYPE=${TYPE} -D EXAMPLE=${SOURCE}/examples/tune_lasso.cpp)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/tune_lasso ${SOURCE}/examples/diabetes.csv)
if(NOT output MATCHES "^lambda [0-9.e+]+, leave-one-out mse [0-9.]+, [0-9]+ of 10 coefficients\n$")
  message(FATAL_ERROR "tune_lasso printed: ${output}")
endif()
run(${WORK}/prefix/bin/alo --version)

# A model from outside: its approximate leave-one-out must be near the exact one at every lambda, and every fit certified.
run(${CMAKE_COMMAND} -S ${SOURCE}/examples/own_model -B ${WORK}/own_model -G ${GENERATOR}
  -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_CXX_COMPILER=${COMPILER} "-DCMAKE_CXX_FLAGS=${FLAGS}"
  -D CMAKE_BUILD_TYPE=${TYPE})
run(${CMAKE_COMMAND} --build ${WORK}/own_model)
run(${WORK}/own_model/own_model ${SOURCE}/examples/diabetes_quadratic.csv)
string(REGEX MATCHALL " 0\\.[0-9]+ %" near "${output}")
list(LENGTH near count)
if(NOT count EQUAL 10 OR NOT output MATCHES "certified: yes\n$")
  message(FATAL_ERROR "own_model should have printed 10 differences below 1 %, all fits certified:\n${output}")
endif()
file(READ ${SOURCE}/examples/own_model/output.txt expected)
if(NOT output STREQUAL expected)
  message(FATAL_ERROR "own_model printed\n${output}\nwhere the documentation shows\n${expected}")
endif()

# The same tree through pkg-config.
file(GLOB_RECURSE package_file ${WORK}/prefix/alo.pc)
get_filename_component(package_folder ${package_file} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${package_folder})
find_program(PKG_CONFIG pkg-config REQUIRED)
run(${PKG_CONFIG} --cflags --libs alo)
separate_arguments(flags UNIX_COMMAND "${FLAGS} ${output}")
run(${COMPILER} -std=c++20 ${SOURCE}/examples/tune_lasso.cpp -o ${WORK}/tune_lasso ${flags} -Wl,-rpath,${package_folder}/..)
run(${WORK}/tune_lasso ${SOURCE}/examples/diabetes.csv)
if(NOT output MATCHES "^lambda [0-9.e+]+, leave-one-out mse")
  message(FATAL_ERROR "tune_lasso, compiled by pkg-config, printed: ${output}")
endif()
