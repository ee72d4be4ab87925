# Warnings for our own sources only; never exported to users of the library.
add_library(alo_warnings INTERFACE)
target_compile_options(alo_warnings INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wpedantic
  -Wno-sign-conversion)
# GCC 12 at -O3 sees overruns in its own std::string where there are none (GCC bugs 105329, 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(alo_warnings INTERFACE
    $<$<CONFIG:Release>:-Wno-array-bounds;-Wno-restrict;-Wno-stringop-overflow;-Wno-stringop-overread>)
endif()
option(ALO_WARNINGS_AS_ERRORS "Stop the build at the first warning" OFF)
if(ALO_WARNINGS_AS_ERRORS)
  target_compile_options(alo_warnings INTERFACE -Werror)
endif()
