# SPDX-License-Identifier: MIT
# The project's warnings, as errors. tests/warnings.sh proves that they are live.
set(IMSAT_WARNINGS -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
  -Wmissing-prototypes -Wvla -Wwrite-strings -Wcast-qual -Wundef)
function(imsat_warnings target)
  target_compile_options(${target} PRIVATE ${IMSAT_WARNINGS} $<$<BOOL:${IMSAT_WERROR}>:-Werror>)
endfunction()
