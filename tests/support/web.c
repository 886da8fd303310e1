/* SPDX-License-Identifier: MIT
 * See web.h. */
#define _GNU_SOURCE
#include "web.h"

#include "support.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ACTS = 16, REQUESTS = 32, REQUEST_ROOM = 2048 };

static struct {
    int listening, wake[2]; /* a byte in the pipe ends the thread, and what is silent */
    unsigned port;
    pthread_t thread;
    pthread_mutex_t lock; /* of all that follows */
    const unsigned char *bytes;
    size_t size;
    const char *etag;
    web_act acts[ACTS];
    size_t act_count, count;
    char requests[REQUESTS][REQUEST_ROOM];
} web = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void send_all(int to, const void *bytes, size_t size)
{
    const char *from = bytes;
    while (size > 0) {
        const ssize_t sent = send(to, from, size, MSG_NOSIGNAL);
        if (sent <= 0)
            return; /* the other side has had enough */
        from += sent;
        size -= (size_t)sent;
    }
}

/* The lines of a request, up to the empty one. */
static void receive(int from, char *text)
{
    size_t size = 0;
    text[0] = '\0';
    while (size + 1 < REQUEST_ROOM && !strstr(text, "\r\n\r\n")) {
        const ssize_t got = recv(from, text + size, REQUEST_ROOM - 1 - size, 0);
        if (got <= 0)
            break;
        size += (size_t)got;
        text[size] = '\0';
    }
}

/* Where the file begins for this request. */
static size_t first_byte(const char *request, const web_act *act)
{
    const char *range = strstr(request, "\r\nRange: bytes=");
    const char *condition = strstr(request, "\r\nIf-Range: ");
    if (!range || act->whole)
        return 0;
    if (condition && strncmp(condition + 12, web.etag, strlen(web.etag)) != 0)
        return 0;
    return (size_t)strtoull(range + 15, NULL, 10);
}

static void send_page(int to, const web_act *act, int status)
{
    static const char page[] = "<p>a page for people</p>";
    char head[512];
    const int length =
        snprintf(head, sizeof head, "HTTP/1.1 %d Because\r\nContent-Length: %zu\r\n%s%s%s\r\n",
                 status, sizeof page - 1, act->location ? "Location: " : "",
                 act->location ? act->location : "", act->location ? "\r\n" : "");
    send_all(to, head, (size_t)length);
    send_all(to, page, sizeof page - 1);
}

static void send_head(int to, const web_act *act, size_t first)
{
    char head[1024], lines[256];
    int length = snprintf(head, sizeof head, "HTTP/1.1 %s\r\n",
                          first ? "206 Partial Content" : "200 OK");
    snprintf(lines, sizeof lines, "ETag: %s\r\n", web.etag);
    length += snprintf(head + length, sizeof head - (size_t)length, "%s",
                       act->headers ? act->headers : lines);
    if (first)
        length +=
            snprintf(head + length, sizeof head - (size_t)length,
                     "Content-Range: bytes %zu-%zu/%zu\r\n", first, web.size - 1, web.size);
    if (!act->no_length)
        length += snprintf(head + length, sizeof head - (size_t)length,
                           "Content-Length: %zu\r\n", web.size - first);
    length +=
        snprintf(head + length, sizeof head - (size_t)length, "Connection: close\r\n\r\n");
    send_all(to, head, (size_t)length);
}

/* Until the other side goes away, or the server is stopped. */
static void be_silent(int to)
{
    struct pollfd waits[] = {{.fd = to, .events = POLLRDHUP},
                             {.fd = web.wake[0], .events = POLLIN}};
    poll(waits, 2, -1);
}

static void send_file(int to, const web_act *act, size_t first)
{
    unsigned char *copy = malloc(web.size + 1);
    size_t size = web.size - first;
    if (!copy)
        return;
    memcpy(copy, web.bytes, web.size);
    if (act->flip)
        copy[act->flip - 1] ^= 1;
    if (act->cut && act->cut < size)
        size = act->cut;
    if (act->stall && act->stall < size)
        size = act->stall;
    send_head(to, act, first);
    send_all(to, copy + first, size);
    if (act->stall)
        be_silent(to);
    free(copy);
}

static void answer(int to)
{
    char text[REQUEST_ROOM];
    web_act act = {0};
    receive(to, text);
    pthread_mutex_lock(&web.lock);
    if (web.count < web.act_count)
        act = web.acts[web.count];
    if (web.count < REQUESTS)
        memcpy(web.requests[web.count], text, sizeof text);
    web.count++;
    size_t first = first_byte(text, &act);
    if (first)
        first += act.shift;
    if (act.status || act.location)
        send_page(to, &act, act.location ? 302 : act.status);
    else if (first && first >= web.size)
        send_page(to, &act, 416);
    else
        send_file(to, &act, first);
    pthread_mutex_unlock(&web.lock);
}

static void *serve(void *unused)
{
    struct pollfd waits[] = {{.fd = web.listening, .events = POLLIN},
                             {.fd = web.wake[0], .events = POLLIN}};
    while (poll(waits, 2, -1) >= 0 && !waits[1].revents) {
        const int connection = accept(web.listening, NULL, NULL);
        if (connection < 0)
            continue;
        answer(connection);
        shutdown(connection, SHUT_WR);
        close(connection);
    }
    return unused;
}

void web_start(const void *bytes, size_t size, const char *etag)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    setenv("no_proxy", "127.0.0.1", 1);
    web.bytes = bytes;
    web.size = size;
    web.etag = etag;
    web_script(NULL, 0);
    web.listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(web.listening >= 0);
    assert_int_equal(bind(web.listening, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(web.listening, 4), 0);
    assert_int_equal(getsockname(web.listening, (struct sockaddr *)&address, &length), 0);
    web.port = ntohs(address.sin_port);
    assert_int_equal(pipe(web.wake), 0);
    assert_int_equal(pthread_create(&web.thread, NULL, serve, NULL), 0);
}

void web_stop(void)
{
    assert_int_equal(write(web.wake[1], "", 1), 1);
    assert_int_equal(pthread_join(web.thread, NULL), 0);
    close(web.listening);
    close(web.wake[0]);
    close(web.wake[1]);
}

void web_script(const web_act *acts, size_t count)
{
    assert_true(count <= ACTS);
    pthread_mutex_lock(&web.lock);
    if (count)
        memcpy(web.acts, acts, count * sizeof *acts);
    web.act_count = count;
    web.count = 0;
    pthread_mutex_unlock(&web.lock);
}

const char *web_url(const char *name)
{
    static char urls[4][128];
    static int turn;
    char *url = urls[turn = (turn + 1) % 4];
    snprintf(url, sizeof *urls, "http://127.0.0.1:%u/%s", web.port, name);
    return url;
}

size_t web_requests(void)
{
    pthread_mutex_lock(&web.lock);
    const size_t count = web.count;
    pthread_mutex_unlock(&web.lock);
    return count;
}

const char *web_request(size_t i)
{
    assert_true(i < web_requests());
    return web.requests[i];
}
