/* The protocol of README.md around four functions that a driver defines before it includes this. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROOM 65536

/* Whether the message of this name can be had under these rules. */
static int start(const char *rules, const char *message);
/* The message in `octets`, or nothing. The one that is to be encoded is `loaded`, any other not. */
static void *decode(const unsigned char *octets, size_t count, int loaded);
/* Encodes into `output`, ROOM octets: how many it took, or -1. */
static long encode(void *message, unsigned char *output);
/* Frees what `decode` gave. */
static void release(void *message);
/* The in-memory message itself. */
static size_t size(void);

static unsigned char output[ROOM];

/* The messages that are loaded, with their octets. */
static struct entry {
    void *message;
    unsigned char *octets;
    size_t length;
} *entries;
static size_t loaded;

static size_t from_hex(const char *text, unsigned char *octets) {
    size_t count = 0;
    unsigned octet;
    while (count < ROOM && sscanf(text + 2 * count, "%2x", &octet) == 1)
        octets[count++] = octet;
    return count;
}

static void answer(void *message) {
    long count;
    if (!message) {
        puts("no it cannot be decoded");
        return;
    }
    count = encode(message, output);
    if (count < 0) {
        puts("no it cannot be encoded");
        return;
    }
    fputs("ok ", stdout);
    for (long at = 0; at < count; at++)
        printf("%02x", output[at]);
    putchar('\n');
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

int main(int count, char **arguments) {
    static char line[2 * ROOM + 64];
    static unsigned char octets[ROOM];

    if (count < 3 || !start(arguments[1], arguments[2]))
        return 3;
    while (fgets(line, sizeof line, stdin)) {
        long repeats;
        char direction[8];
        if (strncmp(line, "load ", 5) == 0) {
            clear();
            answer(load(octets, from_hex(line + 5, octets)));
        } else if (strncmp(line, "add ", 4) == 0) {
            answer(load(octets, from_hex(line + 4, octets)));
        } else if (strncmp(line, "recode ", 7) == 0) {
            void *other = decode(octets, from_hex(line + 7, octets), 0);
            answer(other);
            release(other);
        } else if (sscanf(line, "time %7s %ld", direction, &repeats) == 2 && loaded) {
            long calls = 0, total = 0;
            double cpu = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
            if (strcmp(direction, "encode") == 0)
                for (long at = 0; at < repeats; at++)
                    for (size_t one = 0; one < loaded; one++) {
                        long done = encode(entries[one].message, output);
                        calls += done >= 0;
                        total += done >= 0 ? done : 0;
                    }
            else
                for (long at = 0; at < repeats; at++)
                    for (size_t one = 0; one < loaded; one++) {
                        void *other = decode(entries[one].octets, entries[one].length, 0);
                        calls += other != NULL;
                        total += other ? (long)entries[one].length : 0;
                        release(other);
                    }
            wall = now(CLOCK_MONOTONIC) - wall;
            printf("ok %.0f %.0f %ld %ld\n", now(CLOCK_PROCESS_CPUTIME_ID) - cpu, wall, calls, total);
        } else if (strncmp(line, "size", 4) == 0) {
            printf("ok %zu\n", size());
        } else {
            puts("no such command, or nothing loaded");
        }
        fflush(stdout);
    }
    return 0;
}
