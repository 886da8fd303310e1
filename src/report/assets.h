/* SPDX-License-Identifier: MIT
 *
 * The page's style and script, page.css and page.js, as CMake puts them into the library
 * (cmake/embed.cmake). Both are ASCII.
 */
#ifndef IM_REPORT_ASSETS_H
#define IM_REPORT_ASSETS_H

extern const char im_assets_css[];
extern const char im_assets_js[];

#endif
