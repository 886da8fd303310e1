# SPDX-License-Identifier: MIT
# What is installed: both libraries, the headers, files for pkg-config and find_package(imsat),
# the program with its manual and completions, and the digits to try it on.
include(CMakePackageConfigHelpers)

# ---- written by the program itself, so that they cannot disagree with it ----
set(generated ${PROJECT_BINARY_DIR}/generated)
function(imsat_writes file)
  add_custom_command(OUTPUT ${generated}/${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${generated}
    COMMAND imsat help ${ARGN} > ${generated}/${file}
    DEPENDS imsat)
  set_property(GLOBAL APPEND PROPERTY imsat_generated ${generated}/${file})
endfunction()
imsat_writes(imsat.1 --man)
imsat_writes(imsat.bash --completion bash)
imsat_writes(_imsat --completion zsh)
imsat_writes(imsat.fish --completion fish)
get_property(generated_files GLOBAL PROPERTY imsat_generated)
add_custom_target(imsat_generated ALL DEPENDS ${generated_files})

install(FILES ${generated}/imsat.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${generated}/imsat.bash RENAME imsat
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${generated}/_imsat DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${generated}/imsat.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# ---- program, libraries, header, data ---------------------------------------
install(TARGETS imsat RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS imsat_shared EXPORT imsatTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS imsat_static EXPORT imsatStaticTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
file(GLOB headers CONFIGURE_DEPENDS include/imsat/*.h)
install(FILES ${headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/imsat)
install(FILES data/digits.csv.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/imsat)

# ---- for pkg-config: paths are relative to the file, so the tree can be moved ----
file(RELATIVE_PATH to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/imsat.pc.in imsat.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/imsat.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# ---- for find_package(imsat): imsat::imsat and imsat::imsat_static ----------
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/imsat)
install(EXPORT imsatTargets NAMESPACE imsat:: DESTINATION ${package})
install(EXPORT imsatStaticTargets NAMESPACE imsat:: DESTINATION ${package})
configure_package_config_file(cmake/imsatConfig.cmake.in imsatConfig.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/imsatConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES cmake/optional.cmake ${PROJECT_BINARY_DIR}/imsatConfig.cmake
  ${PROJECT_BINARY_DIR}/imsatConfigVersion.cmake DESTINATION ${package})
