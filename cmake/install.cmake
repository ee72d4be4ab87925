# Installation and the package file that find_package(alo) reads.
include(CMakePackageConfigHelpers)
set(ALO_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/alo)

install(TARGETS alo EXPORT aloTargets)
install(DIRECTORY include/alo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT aloTargets NAMESPACE alo:: DESTINATION ${ALO_PACKAGE_DIR})
install(FILES LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

get_target_property(ALO_LIBRARY_TYPE alo TYPE)
configure_package_config_file(cmake/aloConfig.cmake.in aloConfig.cmake INSTALL_DESTINATION ${ALO_PACKAGE_DIR}
  NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(aloConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/aloConfig.cmake ${PROJECT_BINARY_DIR}/aloConfigVersion.cmake
  cmake/FindCblasLapacke.cmake DESTINATION ${ALO_PACKAGE_DIR})

# The same for pkg-config. What a static library was linked with is linked by whoever uses it.
file(RELATIVE_PATH ALO_PC_TO_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(ALO_PC_REQUIRES "eigen3 >= 3.4")
set(ALO_PC_LIBRARIES "")
if(ALO_LIBRARY_TYPE STREQUAL "STATIC_LIBRARY")
  string(APPEND ALO_PC_REQUIRES ", fmt, zlib")
  set(ALO_PC_LIBRARIES " -llapacke -lopenblas -pthread")
endif()
configure_file(cmake/alo.pc.in alo.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/alo.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TARGET alo_command)
  file(RELATIVE_PATH ALO_BIN_TO_LIB /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  set_target_properties(alo_command PROPERTIES INSTALL_RPATH $ORIGIN/${ALO_BIN_TO_LIB})
  install(TARGETS alo_command)
  install(FILES docs/man/alo.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
