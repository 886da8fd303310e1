# SPDX-License-Identifier: MIT
# The libraries that imsat can do without, by the rows of src/core/feature_list.h. For each row
# IM_HAVE_<ID>=1 or 0 is added to IMSAT_DEFINITIONS, and what is there to IMSAT_OPTIONAL, the
# targets to link.
set(IMSAT_WITH AUTO CACHE STRING
  "optional libraries: AUTO takes what is there, ON stops if one is missing, OFF takes none; \
IMSAT_WITH_ZSTD and so on say it for one")
include(cmake/optional.cmake)

set(feature_list ${PROJECT_SOURCE_DIR}/src/core/feature_list.h)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${feature_list})
file(STRINGS ${feature_list} rows REGEX "^IM_FEATURE\\(")
set(IMSAT_DEFINITIONS)
set(IMSAT_OPTIONAL)
set(optional_calls) # for imsatConfig.cmake: find again what the static library needs
set(optional_flags) # for imsat.pc
set(without)
foreach(row ${rows})
  if(NOT row MATCHES
      "^IM_FEATURE\\(([A-Z0-9]+), \"([a-z0-9]+)\", \"([^\"]+)\", \"([^\"]+)\", \"[^\"]+\"\\)$")
    message(FATAL_ERROR "${feature_list}: not a row of the list: ${row}")
  endif()
  set(id ${CMAKE_MATCH_1})
  set(how ${CMAKE_MATCH_3})
  set(package ${CMAKE_MATCH_4})
  set(wanted ${IMSAT_WITH})
  if(DEFINED IMSAT_WITH_${id})
    set(wanted ${IMSAT_WITH_${id}})
  endif()
  if(wanted)
    imsat_find_optional(${id} "${how}")
  endif()
  if(TARGET imsat_optional::${id})
    list(APPEND IMSAT_DEFINITIONS IM_HAVE_${id}=1)
    list(APPEND IMSAT_OPTIONAL imsat_optional::${id})
    string(APPEND optional_calls "imsat_find_optional(${id} \"${how}\")\n")
    string(APPEND optional_flags " ${imsat_optional_${id}_flags}")
  elseif(wanted AND NOT wanted STREQUAL AUTO)
    message(FATAL_ERROR "IMSAT_WITH_${id} is ${wanted}, but ${how} is not there; "
      "it is in the package ${package}")
  else()
    list(APPEND IMSAT_DEFINITIONS IM_HAVE_${id}=0)
    list(APPEND without ${package})
  endif()
endforeach()
if(without)
  list(JOIN without " " without)
  message(STATUS "built without (names of Debian packages): ${without}")
endif()
