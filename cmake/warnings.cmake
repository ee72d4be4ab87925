# Warnings for our own sources only; never exported to users of the library.
add_library(alo_warnings INTERFACE)
target_compile_options(alo_warnings INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wpedantic
  -Wno-sign-conversion)
option(ALO_WARNINGS_AS_ERRORS "Stop the build at the first warning" OFF)
if(ALO_WARNINGS_AS_ERRORS)
  target_compile_options(alo_warnings INTERFACE -Werror)
endif()
