/* SPDX-License-Identifier: MIT
 *
 * English function words: articles and quantifiers, pronouns, prepositions, conjunctions, the
 * forms of be, have and do, modals, adverbs of place, time, degree and manner, verbs that
 * stand for others (get, go, seem), and what is left of "don't" when it is cut at its
 * apostrophe.
 *
 * 317 of them, gathered by the parts of speech and not from another list, so that ours differs
 * from each of the lists in use, which also differ among each other. Words of one letter are
 * missing, because they are never words here (tokens.h).
 */
#include "features/stop_words.h"

#include <stdlib.h>
#include <string.h>

/* Sorted by bytes. */
static const char *const list[] = {
    "about",      "above",       "across",    "after",        "afterwards",  "again",
    "against",    "all",         "almost",    "along",        "alongside",   "already",
    "also",       "although",    "always",    "am",           "amid",        "among",
    "amongst",    "an",          "and",       "another",      "any",         "anybody",
    "anyhow",     "anyone",      "anything",  "anyway",       "anywhere",    "apart",
    "are",        "aren",        "around",    "as",           "at",          "away",
    "back",       "be",          "became",    "because",      "become",      "becomes",
    "becoming",   "been",        "before",    "beforehand",   "behind",      "being",
    "below",      "beneath",     "beside",    "besides",      "between",     "beyond",
    "both",       "but",         "by",        "can",          "cannot",      "could",
    "couldn",     "despite",     "did",       "didn",         "do",          "does",
    "doesn",      "doing",       "don",       "done",         "down",        "during",
    "each",       "eg",          "either",    "else",         "elsewhere",   "enough",
    "etc",        "even",        "ever",      "every",        "everybody",   "everyone",
    "everything", "everywhere",  "except",    "few",          "fewer",       "fewest",
    "for",        "formerly",    "from",      "further",      "furthermore", "get",
    "gets",       "getting",     "go",        "goes",         "going",       "gone",
    "got",        "had",         "hadn",      "half",         "hardly",      "has",
    "hasn",       "have",        "haven",     "having",       "he",          "hence",
    "her",        "here",        "hereby",    "herein",       "hers",        "herself",
    "him",        "himself",     "his",       "how",          "however",     "ie",
    "if",         "in",          "indeed",    "inside",       "instead",     "into",
    "is",         "isn",         "it",        "its",          "itself",      "just",
    "later",      "least",       "less",      "lest",         "let",         "like",
    "ll",         "made",        "make",      "makes",        "many",        "may",
    "maybe",      "me",          "meanwhile", "merely",       "might",       "mine",
    "more",       "moreover",    "most",      "mostly",       "much",        "must",
    "mustn",      "my",          "myself",    "namely",       "near",        "nearly",
    "needn",      "neither",     "never",     "nevertheless", "no",          "nobody",
    "none",       "nonetheless", "noone",     "nor",          "not",         "nothing",
    "now",        "nowhere",     "of",        "off",          "often",       "on",
    "once",       "one",         "ones",      "oneself",      "only",        "onto",
    "or",         "other",       "others",    "otherwise",    "ought",       "our",
    "ours",       "ourselves",   "out",       "outside",      "over",        "own",
    "past",       "per",         "perhaps",   "quite",        "rather",      "re",
    "said",       "same",        "say",       "says",         "seem",        "seemed",
    "seeming",    "seems",       "seldom",    "several",      "shall",       "she",
    "should",     "shouldn",     "since",     "so",           "some",        "somebody",
    "somehow",    "someone",     "something", "sometimes",    "somewhat",    "somewhere",
    "soon",       "still",       "such",      "than",         "that",        "the",
    "their",      "theirs",      "them",      "themselves",   "then",        "thence",
    "there",      "thereafter",  "thereby",   "therefore",    "therein",     "thereof",
    "thereupon",  "these",       "they",      "this",         "those",       "though",
    "through",    "throughout",  "thus",      "till",         "to",          "together",
    "too",        "toward",      "towards",   "under",        "underneath",  "unless",
    "until",      "unto",        "up",        "upon",         "us",          "ve",
    "versus",     "very",        "via",       "was",          "wasn",        "we",
    "well",       "went",        "were",      "weren",        "what",        "whatever",
    "when",       "whenever",    "where",     "whereas",      "wherever",    "whether",
    "which",      "whichever",   "while",     "whilst",       "who",         "whoever",
    "whom",       "whomever",    "whose",     "why",          "will",        "with",
    "within",     "without",     "would",     "wouldn",       "yes",         "yet",
    "you",        "your",        "yours",     "yourself",     "yourselves",
};

enum { COUNT = sizeof list / sizeof *list };

typedef struct key {
    const char *word;
    size_t size;
} key;

static int compare(const void *a, const void *b)
{
    const key *wanted = a;
    const char *word = *(const char *const *)b;
    const int order = strncmp(wanted->word, word, wanted->size);
    return order ? order : -(word[wanted->size] != '\0');
}

bool im_stop_words_has(const char *word, size_t size)
{
    const key wanted = {word, size};
    return bsearch(&wanted, list, COUNT, sizeof *list, compare) != NULL;
}

const char *im_stop_words_at(size_t i)
{
    return i < COUNT ? list[i] : NULL;
}
