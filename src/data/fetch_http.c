/* SPDX-License-Identifier: MIT
 *
 * HTTP; see fetch_http.h. The only file that knows libcurl.
 *
 * Redirections are followed, ten at most, to http and https alone. The body of an answer that
 * is not the file (a page that says 404) is not handed on. libcurl's memory is its own: it
 * takes another allocator only for the whole process.
 */
#include "data/fetch_http.h"

#include "core/alloc.h"
#include "core/clock.h"
#include "core/feature.h"

#if IM_HAVE_CURL

#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <strings.h>

enum { MOST_REDIRECTIONS = 10, CONNECT_SECONDS = 30, BUFFER = 1 << 17 };

typedef struct transfer {
    const im_fetch_request *request;
    CURL *curl;
    im_fetch_reply reply; /* of the last answer: a redirection is one, too */
    long status;
    bool begun;      /* request->begin was called */
    bool left;       /* one of its functions returned false */
    bool silent;     /* nothing came for too long */
    curl_off_t come; /* bytes that had come when the clock said `heard` */
    double heard;
    char message[CURL_ERROR_SIZE];
} transfer;

/* ---- headers -------------------------------------------------------------------------- */

/* What follows "name:" on the line, without blanks around it; NULL if it is another header. */
static char *value_of(char *line, const char *name)
{
    const size_t length = strlen(name);
    if (strncasecmp(line, name, length) != 0 || line[length] != ':')
        return NULL;
    char *value = line + length + 1;
    value += strspn(value, " \t");
    for (size_t end = strlen(value); end > 0 && strchr(" \t\r\n", value[end - 1]); end--)
        value[end - 1] = '\0';
    return value;
}

/* "bytes 100-199/200", or "bytes 100-199" and an asterisk for a size that is not known. */
static void read_range(im_fetch_reply *reply, const char *value)
{
    unsigned long long first = 0, last = 0, total = 0;
    const int found = sscanf(value, "bytes %llu-%llu/%llu", &first, &last, &total);
    if (found >= 2) {
        reply->first = first;
        reply->total = found == 3 ? total : 0;
    }
}

static void read_header(transfer *t, char *line)
{
    im_fetch_reply *reply = &t->reply;
    const char *value;
    long status = 0;
    if (strncmp(line, "HTTP/", 5) == 0) {
        *reply = (im_fetch_reply){0};
        if (sscanf(line, "HTTP/%*s %ld", &status) == 1)
            t->status = status;
    } else if ((value = value_of(line, "Content-Range"))) {
        read_range(reply, value);
    } else if ((value = value_of(line, "Content-Length"))) {
        if (t->status == 200)
            reply->total = strtoull(value, NULL, 10);
    } else if ((value = value_of(line, "ETag"))) {
        if (*value == '"' && strlen(value) < IM_FETCH_VALIDATOR) /* else it is a weak one */
            memcpy(reply->validator, value, strlen(value) + 1);
    } else if ((value = value_of(line, "Last-Modified"))) {
        if (!*reply->validator && strlen(value) < IM_FETCH_VALIDATOR)
            memcpy(reply->validator, value, strlen(value) + 1);
    }
}

static size_t on_header(char *bytes, size_t one, size_t size, void *user)
{
    char line[2 * IM_FETCH_VALIDATOR];
    (void)one;
    if (size < sizeof line) { /* what is longer is none of ours */
        memcpy(line, bytes, size);
        line[size] = '\0';
        read_header(user, line);
    }
    return size;
}

/* ---- the body -----------------------------------------------------------------------------
 */

static bool is_file(const transfer *t)
{
    return t->status == 200 || t->status == 206;
}

/* Tell what comes, if it was not told yet. */
static bool begin(transfer *t)
{
    if (!t->begun && is_file(t)) {
        t->begun = true;
        t->left = !t->request->begin(t->request->user, &t->reply);
    }
    return !t->left;
}

static size_t on_body(char *bytes, size_t one, size_t size, void *user)
{
    transfer *t = user;
    (void)one;
    if (!is_file(t))
        return size; /* a page for people */
    if (!begin(t))
        return 0;
    t->left = !t->request->put(t->request->user, bytes, size);
    return t->left ? 0 : size;
}

/* Called at least once a second. libcurl's own limit of speed looks at means over five
 * seconds. */
static int on_progress(void *user, curl_off_t to_come, curl_off_t come, curl_off_t to_go,
                       curl_off_t gone)
{
    transfer *t = user;
    const double now = im_clock();
    (void)to_come, (void)to_go, (void)gone;
    if (come != t->come) {
        t->come = come;
        t->heard = now;
    }
    t->silent = now - t->heard > t->request->patience;
    if (!t->request->goes_on(t->request->user))
        t->left = true;
    return t->left || t->silent;
}

/* ---- how it ended
 * ---------------------------------------------------------------------------- */

static bool may_pass(CURLcode code)
{
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return true;
    default: return false;
    }
}

static im_fetch_end judge_status(const transfer *t, char why[IM_FETCH_WHY])
{
    snprintf(why, IM_FETCH_WHY, "the server says %ld", t->status);
    switch (t->status) {
    case 408:
    case 425:
    case 429:
    case 500:
    case 502:
    case 503:
    case 504: return IM_FETCH_BROKEN;
    case 416: return IM_FETCH_BEYOND;
    default: return IM_FETCH_REFUSED;
    }
}

static im_fetch_end judge(transfer *t, CURLcode code, char why[IM_FETCH_WHY])
{
    why[0] = '\0';
    if (t->left)
        return IM_FETCH_LEFT;
    if (t->silent) {
        snprintf(why, IM_FETCH_WHY, "nothing came for %g seconds", t->request->patience);
        return IM_FETCH_BROKEN;
    }
    if (code != CURLE_OK) {
        const char *hint = code == CURLE_PEER_FAILED_VERIFICATION
                               ? " (is the package ca-certificates installed?)"
                               : "";
        snprintf(why, IM_FETCH_WHY, "%s%s",
                 *t->message ? t->message : curl_easy_strerror(code), hint);
        return may_pass(code) ? IM_FETCH_BROKEN : IM_FETCH_REFUSED;
    }
    if (!is_file(t))
        return judge_status(t, why);
    return begin(t) ? IM_FETCH_WHOLE : IM_FETCH_LEFT; /* an empty file has no body */
}

/* ---- the request
 * ------------------------------------------------------------------------------ */

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void start_libcurl(void)
{
    curl_global_init(CURL_GLOBAL_DEFAULT);
}

static void set_protocols(CURL *curl)
{
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(curl, CURLOPT_MAXREDIRS, (long)MOST_REDIRECTIONS);
}

static void set_options(transfer *t)
{
    CURL *curl = t->curl;
    set_protocols(curl);
    curl_easy_setopt(curl, CURLOPT_URL, t->request->url);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "imsat/" IMSAT_VERSION);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, t->message);
    curl_easy_setopt(curl, CURLOPT_BUFFERSIZE, (long)BUFFER);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, t);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, t);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, t);
}

/* Ask for what is missing, on the condition that the file is the one that the rest is of: else
 * the server sends all of it. */
static bool add_range(struct curl_slist **headers, const im_fetch_request *request)
{
    char line[IM_FETCH_VALIDATOR + 32];
    if (request->from == 0)
        return true;
    snprintf(line, sizeof line, "Range: bytes=%llu-", (unsigned long long)request->from);
    *headers = curl_slist_append(*headers, line);
    if (*headers && request->validator && *request->validator) {
        snprintf(line, sizeof line, "If-Range: %s", request->validator);
        struct curl_slist *longer = curl_slist_append(*headers, line);
        if (!longer)
            return false;
    }
    return *headers != NULL;
}

imsat_status im_fetch_http(const im_fetch_request *request, im_fetch_end *end,
                           char why[IM_FETCH_WHY], imsat_error *err)
{
    struct curl_slist *headers = NULL;
    pthread_once(&once, start_libcurl);
    transfer t = {.request = request, .curl = curl_easy_init(), .heard = im_clock()};
    const bool ready = t.curl && add_range(&headers, request);
    if (ready) {
        set_options(&t);
        curl_easy_setopt(t.curl, CURLOPT_HTTPHEADER, headers);
        *end = judge(&t, curl_easy_perform(t.curl), why);
    }
    curl_slist_free_all(headers);
    curl_easy_cleanup(t.curl);
    return ready ? IMSAT_OK : im_fail_memory(err, request->url);
}

#else

imsat_status im_fetch_http(const im_fetch_request *request, im_fetch_end *end,
                           char why[IM_FETCH_WHY], imsat_error *err)
{
    (void)end;
    (void)why;
    return im_feature_refuse(IM_FEATURE_CURL, request->url, err);
}

#endif
