# SPDX-License-Identifier: MIT
# Write the files page.css and page.js of SOURCE as arrays of a C file OUT:
#
#     cmake -DSOURCE=src/report -DOUT=assets.c -P embed.cmake
#
# Arrays of numbers: C does not promise strings of more than 4095 characters.
set(text "/* Made by cmake/embed.cmake. */\n#include \"report/assets.h\"\n")
foreach(ending css js)
  file(READ ${SOURCE}/page.${ending} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,){16})" "\\1\n    " bytes "${bytes}")
  string(APPEND text "\nconst char im_assets_${ending}[] = {\n    ${bytes}0};\n")
endforeach()
file(WRITE ${OUT} "${text}")
