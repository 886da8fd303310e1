/* SPDX-License-Identifier: MIT
 * Fields of tables; see cell.h. */
#include "data/cell.h"

#include <string.h>
#include <strings.h>

enum { COMMA_MOST = 64 };

static bool is_one_of(im_span text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(words[i]) == text.size && strncasecmp(text.at, words[i], text.size) == 0)
            return true;
    return false;
}

bool im_cell_missing(im_span text)
{
    static const char *const words[] = {"",     "na",   "n/a",  "#n/a", "<na>", "nan",
                                        "-nan", "null", "none", "nil",  "?"};
    return text.size <= 4 && is_one_of(text, words, sizeof words / sizeof *words);
}

bool im_cell_boolean(double *value, im_span text)
{
    static const char *const yes[] = {"true", "yes"}, *const no[] = {"false", "no"};
    if (is_one_of(text, yes, 2))
        *value = 1;
    else if (is_one_of(text, no, 2))
        *value = 0;
    else
        return false;
    return true;
}

im_number im_cell_comma(double *value, im_span text)
{
    char copy[COMMA_MOST];
    const char *comma = memchr(text.at, ',', text.size);
    if (!comma || text.size > sizeof copy || memchr(text.at, '.', text.size))
        return IM_NUMBER_NONE;
    memcpy(copy, text.at, text.size);
    copy[comma - text.at] = '.';
    return im_number_parse(value, copy, text.size);
}

bool im_cell_is_value(im_span text, bool commas)
{
    double ignored;
    return im_cell_missing(text) ||
           im_number_parse(&ignored, text.at, text.size) != IM_NUMBER_NONE ||
           im_cell_boolean(&ignored, text) || im_cell_date(&ignored, text) ||
           (commas && im_cell_comma(&ignored, text) != IM_NUMBER_NONE);
}

/* ---- dates ---------------------------------------------------------------------- */

/* Exactly `count` digits as a number, and step behind them. */
static bool take_digits(int *value, im_span *text, size_t count)
{
    if (text->size < count)
        return false;
    *value = 0;
    for (size_t i = 0; i < count; i++) {
        if (text->at[i] < '0' || text->at[i] > '9')
            return false;
        *value = *value * 10 + (text->at[i] - '0');
    }
    *text = (im_span){text->at + count, text->size - count};
    return true;
}

static bool take_char(im_span *text, char c)
{
    if (text->size == 0 || *text->at != c)
        return false;
    *text = (im_span){text->at + 1, text->size - 1};
    return true;
}

/* Days since 1970-01-01 in the Gregorian calendar. Years begin in March here, so that the day
 * that leap years have is their last: 153 days are any five months from there. */
static double days_of(int year, int month, int day)
{
    const int y = year + 400 - (month <= 2); /* not negative in year 0 */
    const int of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    const int leap_days = y / 4 - y / 100 + y / 400;
    return 365 * y + leap_days + of_year - 719468 - 146097;
}

static int days_in(int year, int month)
{
    static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap);
}

/* Seconds, with a fraction. */
static bool take_seconds(double *seconds, im_span *text)
{
    int whole, digit;
    if (!take_digits(&whole, text, 2) || whole > 60)
        return false;
    *seconds += whole;
    if (!take_char(text, '.'))
        return true;
    double unit = 1;
    size_t digits = 0;
    for (; take_digits(&digit, text, 1); digits++)
        *seconds += digit * (unit /= 10);
    return digits > 0;
}

/* Z, +HH, +HHMM, +HH:MM, or nothing. */
static bool take_offset(double *seconds, im_span *text)
{
    int hours, minutes = 0;
    if (text->size == 0 || take_char(text, 'Z') || take_char(text, 'z'))
        return true;
    const bool west = *text->at == '-';
    if (!take_char(text, '+') && !take_char(text, '-'))
        return false;
    if (!take_digits(&hours, text, 2) || hours > 23)
        return false;
    const bool colon = take_char(text, ':');
    if ((colon || text->size > 0) && (!take_digits(&minutes, text, 2) || minutes > 59))
        return false;
    const double offset = hours * 3600.0 + minutes * 60.0;
    *seconds += west ? offset : -offset;
    return true;
}

/* HH:MM[:SS[.fraction]] and an offset. */
static bool take_time(double *seconds, im_span *text)
{
    int hours, minutes;
    if (!take_digits(&hours, text, 2) || hours > 23 || !take_char(text, ':') ||
        !take_digits(&minutes, text, 2) || minutes > 59)
        return false;
    *seconds = hours * 3600.0 + minutes * 60.0;
    if (take_char(text, ':') && !take_seconds(seconds, text))
        return false;
    return take_offset(seconds, text);
}

bool im_cell_date(double *value, im_span text)
{
    int year, month, day;
    double seconds = 0;
    if (text.size < 10 || !take_digits(&year, &text, 4) || !take_char(&text, '-') ||
        !take_digits(&month, &text, 2) || !take_char(&text, '-') ||
        !take_digits(&day, &text, 2))
        return false;
    if (month < 1 || month > 12 || day < 1 || day > days_in(year, month))
        return false;
    if (text.size > 0 && ((!take_char(&text, 'T') && !take_char(&text, ' ')) ||
                          !take_time(&seconds, &text) || text.size > 0))
        return false;
    *value = days_of(year, month, day) + seconds / 86400;
    return true;
}
