/* SPDX-License-Identifier: MIT
 *
 * Mapped files; see map.h. The only file that knows mmap and SIGBUS.
 *
 * The handler finds the mapping that an address belongs to in a table of places. It may run on
 * any thread at any time, so the table has no locks and nothing in it is ever freed: a place
 * is taken and given back by single stores, and the table grows by parts that stay where they
 * are. There are as many places as were ever in use at once, and some more.
 *
 * Of a file that became shorter, the last page is still there, with zeros behind the end; a
 * read of it is no fault. So whether the file is shorter is asked of the file system, too, by
 * the name and the inode: keeping a descriptor for each file would use them up where a data
 * set has a thousand files.
 */
#define _GNU_SOURCE
#include "core/map.h"

#include "core/alloc.h"
#include "core/limit.h"
#include "imsat/process.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Addresses start .. end - 1 are a mapping. start 0: the place is free; end 0: it is being
 * taken or given back, and holds no address. */
typedef struct place {
    atomic_uintptr_t start, end;
    atomic_bool lost;
} place;

struct im_map {
    void *data;
    size_t size;
    char *path;
    dev_t device;
    ino_t inode;
    place *place;
    int fd; /* to read from, if there is a limit on memory; or -1 */
};

/* ---- the table -------------------------------------------------------------- */

/* Part i has FIRST << i places; together more than a process can have mappings. */
enum { FIRST = 64, PARTS = 20 };

static place first_part[FIRST];
static _Atomic(place *) further_parts[PARTS]; /* [0] is not used */

static place *part_of(size_t i)
{
    return i == 0 ? first_part : atomic_load(&further_parts[i]);
}

/* Part i, which is made if it is not there. NULL: no memory. */
static place *make_part(size_t i)
{
    place *there = part_of(i);
    if (there)
        return there;
    place *made = im_alloc((size_t)FIRST << i, sizeof *made);
    if (!made || atomic_compare_exchange_strong(&further_parts[i], &there, made))
        return made;
    im_free(made); /* another thread was first */
    return there;
}

static place *take_place(const void *data, size_t size)
{
    const uintptr_t start = (uintptr_t)data;
    for (size_t i = 0; i < PARTS; i++) {
        place *part = make_part(i);
        for (size_t j = 0; part && j < (size_t)FIRST << i; j++) {
            uintptr_t none = 0;
            if (atomic_load(&part[j].start) || /* first, as it costs a fraction */
                !atomic_compare_exchange_strong(&part[j].start, &none, start))
                continue;
            atomic_store(&part[j].lost, false);
            atomic_store(&part[j].end, start + size);
            return &part[j];
        }
        if (!part)
            return NULL;
    }
    return NULL;
}

static void give_place(place *p)
{
    atomic_store(&p->end, 0);
    atomic_store(&p->start, 0);
}

/* The place may have another mapping by the time that its end is read, so its start is read
 * once more. */
static bool holds(place *p, uintptr_t address)
{
    const uintptr_t start = atomic_load(&p->start), end = atomic_load(&p->end);
    return start <= address && address < end && start == atomic_load(&p->start);
}

static place *find_place(uintptr_t address)
{
    for (size_t i = 0; i < PARTS; i++) {
        place *part = part_of(i);
        for (size_t j = 0; part && j < (size_t)FIRST << i; j++)
            if (holds(&part[j], address))
                return &part[j];
    }
    return NULL;
}

/* ---- the signal ------------------------------------------------------------- */

static struct sigaction previous;
static atomic_bool any_lost; /* of all that ever were */

/* All of it becomes zeros: nothing that is made of the rest is of use, and so there is one
 * fault and not one for every page. Other threads read it meanwhile. The function mmap() is
 * not among those that a handler may call, and ThreadSanitizer takes it for a write; the
 * system call is neither. */
static bool blank(place *p)
{
    const uintptr_t start = atomic_load(&p->start), end = atomic_load(&p->end);
    atomic_store(&p->lost, true);
    atomic_store(&any_lost, true);
    return syscall(SYS_mmap, start, end - start, PROT_READ,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0) != -1;
}

/* A signal that is not about a mapping of ours: what would have been done without us. */
static void pass_on(int number, siginfo_t *info, void *context)
{
    const bool fault = info->si_code > 0;
    if (previous.sa_flags & SA_SIGINFO) {
        previous.sa_sigaction(number, info, context);
    } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
        previous.sa_handler(number);
    } else if (fault || previous.sa_handler == SIG_DFL) {
        signal(number, SIG_DFL); /* a fault happens again on return, and then ends it */
        if (!fault)
            raise(number);
    }
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    const int before = errno;
    /* Only a fault has an address; a signal that was sent has none. */
    place *p = info->si_code > 0 ? find_place((uintptr_t)info->si_addr) : NULL;
    if (!p || !blank(p))
        pass_on(number, info, context);
    errno = before;
}

void imsat_guard_maps(void)
{
    static atomic_flag done = ATOMIC_FLAG_INIT;
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    if (atomic_flag_test_and_set(&done))
        return;
    sigemptyset(&action.sa_mask);
    sigaction(SIGBUS, NULL, &previous); /* it must be there before it can be needed */
    sigaction(SIGBUS, &action, &previous);
}

/* ---- pages within a limit ---------------------------------------------------- */

/* What a touch of a byte is counted for. Linux maps 64 KiB around a fault, if it has them, and
 * from 6.18 on all pages that it holds together, which may be as many as a huge page has. */
enum { WINDOW = 2 << 20 };

static atomic_size_t mapped; /* bytes of all mappings */
static atomic_size_t pages;  /* bytes that may have come to memory since all were given back */

/* Held while all are given back, so that no mapping goes meanwhile: other memory might come to
 * be at its address. */
static pthread_mutex_t staying = PTHREAD_MUTEX_INITIALIZER;

/* A place that is being taken has a start before it has an end. */
static void release_place(place *p)
{
    const uintptr_t end = atomic_load(&p->end);
    if (end) {
        const uintptr_t start = atomic_load(&p->start);
        madvise((void *)start, end - start, MADV_DONTNEED);
    }
}

/* Who comes while others are at it waits for them: so there are never more. */
static void release_all(size_t most)
{
    pthread_mutex_lock(&staying);
    const size_t before = atomic_load(&pages);
    if (before > most) {
        for (size_t i = 0; i < PARTS; i++) {
            place *part = part_of(i);
            for (size_t j = 0; part && j < (size_t)FIRST << i; j++)
                release_place(&part[j]);
        }
        atomic_fetch_sub(&pages, before);
    }
    pthread_mutex_unlock(&staying);
}

static bool too_much_is_mapped(void)
{
    return atomic_load_explicit(&mapped, memory_order_relaxed) > im_limit_pages();
}

/* What is touched in order is mostly in the window of the one before, which was counted. */
void im_map_touched(const void *at, size_t size)
{
    static _Thread_local uintptr_t last;
    if (!too_much_is_mapped())
        return;
    const size_t most = im_limit_pages();
    const uintptr_t first = (uintptr_t)at / WINDOW, end = ((uintptr_t)at + size - 1) / WINDOW;
    const size_t windows = end - first + (first != last);
    last = end;
    if (windows && atomic_fetch_add(&pages, windows * WINDOW) + windows * WINDOW > most)
        release_all(most);
}

/* ---- mappings --------------------------------------------------------------- */

imsat_status im_map_new(im_map **out, int fd, size_t size, const char *path, imsat_error *err)
{
    imsat_status st = IMSAT_OK;
    struct stat info;
    im_map *map = im_alloc(1, sizeof *map);
    if (!map)
        return im_fail_memory(err, path);
    map->data = MAP_FAILED;
    map->size = size;
    map->fd = -1;
    map->path = im_strdup(path);
    if (!map->path) {
        st = im_fail_memory(err, path);
        goto cleanup;
    }
    if (fstat(fd, &info) == 0)
        map->data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map->data == MAP_FAILED) {
        st = im_fail_file(err, path);
        goto cleanup;
    }
    map->device = info.st_dev;
    map->inode = info.st_ino;
    map->place = take_place(map->data, size);
    if (!map->place) {
        st = im_fail_memory(err, path);
        goto cleanup;
    }
    if (im_limit_all() != SIZE_MAX) /* where there are too many files, it stays -1 */
        map->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    atomic_fetch_add(&mapped, size);
    *out = map;
    map = NULL;

cleanup:
    im_map_free(map);
    return st;
}

void im_map_free(im_map *map)
{
    if (!map)
        return;
    if (map->place) {
        pthread_mutex_lock(&staying);
        give_place(map->place); /* before others can be mapped at its addresses */
        pthread_mutex_unlock(&staying);
        atomic_fetch_sub(&mapped, map->size);
    }
    if (map->data != MAP_FAILED)
        munmap(map->data, map->size);
    if (map->fd >= 0)
        close(map->fd);
    im_free(map->path);
    im_free(map);
}

const unsigned char *im_map_data(const im_map *map)
{
    return map->data;
}

void im_map_release(const im_map *map, size_t first, size_t end)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    first = first / page * page; /* outwards: pages that two ranges share go, too */
    if (first < end)
        madvise((char *)map->data + first, end - first, MADV_DONTNEED);
}

bool im_map_is_read(const im_map *map)
{
    return map->fd >= 0 && too_much_is_mapped();
}

void im_map_read(const im_map *map, void *to, size_t first, size_t size)
{
    for (size_t done = 0; done < size;) {
        const ssize_t got =
            pread(map->fd, (char *)to + done, size - done, (off_t)(first + done));
        if (got > 0) {
            done += (size_t)got;
        } else if (got == 0 || errno != EINTR) {
            memset((char *)to + done, 0, size - done);
            atomic_store(&map->place->lost, true);
            atomic_store(&any_lost, true);
            return;
        }
    }
}

bool im_map_lost(const im_map *map)
{
    return atomic_load(&any_lost) && atomic_load(&map->place->lost);
}

imsat_status im_map_check(const im_map *map, size_t size, imsat_error *err)
{
    struct stat now;
    const bool same =
        stat(map->path, &now) == 0 && now.st_dev == map->device && now.st_ino == map->inode;
    if (same && (size_t)now.st_size < size)
        return im_fail(err, IMSAT_EIO,
                       "%s: became shorter while it was read: %zu bytes are left of %zu; "
                       "begin again when it is whole",
                       map->path, (size_t)now.st_size, size);
    if (im_map_lost(map))
        return im_fail(err, IMSAT_EIO,
                       "%s: a part of it could not be read: it became shorter for a while, or "
                       "its disk has failed; check it, and begin again",
                       map->path);
    return IMSAT_OK;
}
