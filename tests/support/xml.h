/* SPDX-License-Identifier: MIT
 *
 * Whether a text is XML as strict readers want it: one root, tags that match, attributes in
 * quotes and none twice, no markup in text, entities of XML's own, and characters that XML
 * allows. No comments, declarations or sections: our texts have none. */
#ifndef TESTS_XML_H
#define TESTS_XML_H

/* Fail the test, with what is wrong and where, unless it is. */
void assert_xml(const char *text);

/* What is wrong, or NULL. */
const char *xml_trouble(const char *text);

#endif
