/* The protocol of README.md around four functions that a driver defines before it includes this. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "heap.h"
#include "stack.h"

/* With CHECKS, `is_complete` says whether a decoded message has what the library leaves to its user to check. It is not timed. */
#ifdef CHECKS
static int is_complete(const void *message);
#endif

#define ROOM 65536

/* The schema's name. */
static const char *schema;
/* Whether the message of this name can be had under these rules. */
static int start(const char *rules, const char *message);
/* The message in `octets`, or nothing. The one that is to be encoded is `loaded`, any other not. */
static void *decode(const unsigned char *octets, size_t count, int loaded);
/* Encodes into `output`, ROOM octets: how many it took, or -1. */
static long encode(void *message, unsigned char *output);
/* Frees what `decode` gave. */
static void release(void *message);
/* The in-memory message itself, octets; 0 if there is none. */
static size_t size(void);

static unsigned char output[ROOM];

/* The messages that are loaded, with their octets. */
static struct entry {
    void *message;
    unsigned char *octets;
    size_t length;
} *entries;
static size_t loaded;

/* Where answers go: a library may print to its standard output, which is standard error here. */
static FILE *answers;

static int say(const char *line) {
    return fprintf(answers, "%s\n", line);
}

static size_t from_hex(const char *text, unsigned char *octets) {
    size_t count = 0;
    unsigned octet;
    while (count < ROOM && sscanf(text + 2 * count, "%2x", &octet) == 1)
        octets[count++] = octet;
    return count;
}

static void answer(void *message) {
    long count;
#ifdef CHECKS
    if (message && !is_complete(message)) {
        say("no it is not complete");
        return;
    }
#endif
    if (!message) {
        say("no it cannot be decoded");
        return;
    }
    count = encode(message, output);
    if (count < 0) {
        say("no it cannot be encoded");
        return;
    }
    fputs("ok ", answers);
    for (long at = 0; at < count; at++)
        fprintf(answers, "%02x", output[at]);
    putc('\n', answers);
}

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

/* Decodes the octets and keeps both, unless they cannot be decoded. */
static void *load(const unsigned char *octets, size_t length) {
    void *message = decode(octets, length, 1);
    struct entry *more = message ? (struct entry *)realloc(entries, (loaded + 1) * sizeof *entries) : NULL;
    unsigned char *kept = more ? (unsigned char *)malloc(length + 1) : NULL;
    entries = more ? more : entries;
    if (!kept) {
        if (message)
            release(message);
        return NULL;
    }
    memcpy(kept, octets, length);
    entries[loaded].message = message;
    entries[loaded].octets = kept;
    entries[loaded].length = length;
    loaded++;
    return message;
}

static void clear(void) {
    while (loaded > 0) {
        loaded--;
        release(entries[loaded].message);
        free(entries[loaded].octets);
    }
}

/* One operation of each direction on the first message that is loaded. A decoded message is left in `other`. */
static void *other;
static long long encoded;

static void encode_once(void) {
    encoded = encode(entries[0].message, output);
}

static void decode_once(void) {
    other = decode(entries[0].octets, entries[0].length, 0);
}

static int release_other(void) {
    int is_there = other != NULL;
    if (is_there)
        release(other);
    other = NULL;
    return is_there;
}

/* Measures one operation after another one that is not measured. */
static void answer_heap(int encodes) {
    int is_done;
    for (int is_measured = 0; is_measured < 2; is_measured++) {
        if (is_measured)
            start_counting();
        encodes ? encode_once() : decode_once();
        is_counting = 0;
        is_done = encodes ? encoded >= 0 : release_other();
    }
    if (!CAN_COUNT || is_heap_lost)
        say(CAN_COUNT ? "no it makes more requests than can be counted" : "no heap is counted with glibc alone");
    else if (!is_done)
        say("no it does not succeed");
    else
        fprintf(answers, "ok %lld %lld %lld %lld\n", heap.requested, heap.peak, heap.retained, heap.count);
}

static void release_and_decode(void) {
    release_other();
    decode_once();
}

static void answer_stack(int encodes) {
    long used = stack_of(encodes ? encode_once : release_and_decode);
    int is_done = encodes ? encoded >= 0 : release_other();
    if (used >= 0 && is_done)
        fprintf(answers, "ok %ld\n", used);
    else
        say(used == -2 ? "no there is no thread for it" : used == -1 ? "no it is deeper than is painted" : "no it does not succeed");
}

static void answer_time(int encodes, long repeats) {
    long long calls = 0, total = 0;
    double cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
    if (encodes)
        for (long at = 0; at < repeats; at++)
            for (size_t one = 0; one < loaded; one++) {
                long done = encode(entries[one].message, output);
                calls += done >= 0;
                total += done >= 0 ? done : 0;
            }
    else
        for (long at = 0; at < repeats; at++)
            for (size_t one = 0; one < loaded; one++) {
                void *decoded = decode(entries[one].octets, entries[one].length, 0);
                calls += decoded != NULL;
                total += decoded ? (long)entries[one].length : 0;
                if (decoded)
                    release(decoded);
            }
    wall = now(CLOCK_MONOTONIC) - wall;
    fprintf(answers, "ok %.0f %.0f %lld %lld\n", now(CLOCK_PROCESS_CPUTIME_ID) - cpu, wall, calls, total);
}

int main(int count, char **arguments) {
    static char line[2 * ROOM + 64];
    static unsigned char octets[ROOM];

    if (count < 4)
        return 3;
    schema = arguments[3];
    answers = fdopen(dup(STDOUT_FILENO), "w");
    if (!answers || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return 1;
    if (!start(arguments[1], arguments[2]))
        return 3;
    while (fgets(line, sizeof line, stdin)) {
        long repeats;
        char direction[8] = "";
        int is_time = sscanf(line, "time %7s %ld", direction, &repeats) == 2;
        int is_heap = !is_time && sscanf(line, "heap %7s", direction) == 1;
        int is_stack = !is_time && !is_heap && sscanf(line, "stack %7s", direction) == 1;
        int encodes = strcmp(direction, "encode") == 0;
        int is_known = encodes || strcmp(direction, "decode") == 0;
        if (strncmp(line, "load ", 5) == 0) {
            clear();
            answer(load(octets, from_hex(line + 5, octets)));
        } else if (strncmp(line, "add ", 4) == 0) {
            answer(load(octets, from_hex(line + 4, octets)));
        } else if (strncmp(line, "recode ", 7) == 0) {
            void *recoded = decode(octets, from_hex(line + 7, octets), 0);
            answer(recoded);
            if (recoded)
                release(recoded);
        } else if (is_known && loaded) {
            is_time ? answer_time(encodes, repeats) : is_heap ? answer_heap(encodes) : answer_stack(encodes);
        } else if (strncmp(line, "size", 4) == 0) {
            size() ? fprintf(answers, "ok %zu\n", size()) : say("no it has no message of its own in memory");
        } else {
            say("no it knows no such command, or nothing is loaded");
        }
        fflush(answers);
    }
    return 0;
}
