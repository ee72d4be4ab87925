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
file(GLOB_RECURSE package_files ${WORK}/prefix/*.cmake)
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
