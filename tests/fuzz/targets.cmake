# SPDX-License-Identifier: MIT
# Each target_NAME.c (see fuzz.h) becomes fuzz_NAME, a test, and with IMSAT_FUZZ, which needs
# clang, libfuzzer_NAME. The library's functions that open and write files are replaced by those
# of memory.c, but for packed, which is about files of the system.
set(FUZZ_MUTATIONS 3000)
set(fuzz_wrapped im_bytes_open im_bytes_open_kept im_path_exists im_writer_open
  im_writer_open_over im_writer_put im_writer_over im_writer_commit im_writer_clear)
list(TRANSFORM fuzz_wrapped PREPEND "-Wl,--wrap=")

set(fuzz ${CMAKE_CURRENT_SOURCE_DIR}/fuzz)
add_library(fuzz_shared OBJECT ${fuzz}/entry.c ${fuzz}/memory.c ${fuzz}/meter.c ${fuzz}/records.c
  ${fuzz}/rows.c ${fuzz}/sparse.c ${fuzz}/tensors.c ${fuzz}/training.c ${CMAKE_CURRENT_SOURCE_DIR}/support/mats.c
  ${CMAKE_CURRENT_SOURCE_DIR}/support/zips.c)

# What every program here is compiled with and linked to.
function(imsat_fuzz_settings target)
  target_include_directories(${target} PRIVATE ${fuzz} ${CMAKE_CURRENT_SOURCE_DIR}/support
    ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(${target} PRIVATE ${IMSAT_DEFINITIONS})
  target_link_libraries(${target} PRIVATE imsat_static PkgConfig::JANSSON ZLIB::ZLIB
    ${IMSAT_OPTIONAL} Threads::Threads m)
  imsat_warnings(${target})
endfunction()
imsat_fuzz_settings(fuzz_shared)

file(GLOB fuzz_targets CONFIGURE_DEPENDS ${fuzz}/target_*.c)
foreach(source ${fuzz_targets})
  get_filename_component(file ${source} NAME_WE)
  string(REPLACE target_ "" name ${file})
  set(sources ${source})
  if(name STREQUAL packed)
    list(APPEND sources ${fuzz}/unpackers.c support/pack.c)
  endif()
  add_library(fuzz_target_${name} OBJECT ${sources})
  imsat_fuzz_settings(fuzz_target_${name})
  target_compile_definitions(fuzz_target_${name} PRIVATE ${IMSAT_DEFINITIONS}
    IMSAT_SOURCE="${PROJECT_SOURCE_DIR}")
  set(objects $<TARGET_OBJECTS:fuzz_target_${name}> $<TARGET_OBJECTS:fuzz_shared>)
  if(name STREQUAL args)
    list(APPEND objects $<TARGET_OBJECTS:imsat_cli>)
  endif()
  set(programs fuzz_${name})
  add_executable(fuzz_${name} ${fuzz}/standalone.c ${objects})
  target_compile_definitions(fuzz_${name} PRIVATE FUZZ_CORPUS="${fuzz}/corpus/${name}")
  if(IMSAT_FUZZ)
    list(APPEND programs libfuzzer_${name})
    add_executable(libfuzzer_${name} ${objects})
    target_link_options(libfuzzer_${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(libfuzzer_${name} PROPERTIES LINKER_LANGUAGE C)
  endif()
  foreach(program ${programs})
    imsat_fuzz_settings(${program})
    target_link_options(${program} PRIVATE -Wl,--wrap=im_free)
    if(NOT name STREQUAL packed)
      target_link_options(${program} PRIVATE ${fuzz_wrapped})
    endif()
  endforeach()
  add_test(NAME fuzz/${name} COMMAND fuzz_${name} ${FUZZ_MUTATIONS})
  imsat_register(fuzz/${name})
endforeach()
