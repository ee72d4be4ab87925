# OpenBLAS through its C interface, with LAPACKE. Defines the target CblasLapacke::CblasLapacke.
# Installed beside aloConfig.cmake, where a static alo needs it.
find_library(CblasLapacke_OPENBLAS openblas)
find_library(CblasLapacke_LAPACKE lapacke)
find_path(CblasLapacke_INCLUDE_DIR cblas-openblas.h PATH_SUFFIXES ${CMAKE_LIBRARY_ARCHITECTURE} openblas)
mark_as_advanced(CblasLapacke_OPENBLAS CblasLapacke_LAPACKE CblasLapacke_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CblasLapacke
  REQUIRED_VARS CblasLapacke_OPENBLAS CblasLapacke_LAPACKE CblasLapacke_INCLUDE_DIR)

if(CblasLapacke_FOUND AND NOT TARGET CblasLapacke::CblasLapacke)
  add_library(CblasLapacke::CblasLapacke INTERFACE IMPORTED)
  set_target_properties(CblasLapacke::CblasLapacke PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${CblasLapacke_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES "${CblasLapacke_LAPACKE};${CblasLapacke_OPENBLAS}")
endif()
