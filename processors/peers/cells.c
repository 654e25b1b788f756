/* What src/main.rs does for codecs in Rust, for those in C and C++: DRIVER, a driver of peers/, runs on each message of the type TYPE_NAME that the input has, under the rules that it knows, and a line is written for
   each direction: `cell ENGINE MESSAGE RULES DIRECTION OCTETS STACK HEAP ALLOCATIONS`, after the line `frame` of work that does nothing. A message that it does not bring back is left out, with a line on standard error. */

/* A driver answers the lines of a protocol in its own `main`, which is not called here. */
#define main answer_lines
#include DRIVER
#undef main

#define MOST 64

static NOT_INLINED void roadwire_probe_begin(void) {
    __asm__ volatile("" ::: "memory");
}

static NOT_INLINED void roadwire_probe_end(void) {
    __asm__ volatile("" ::: "memory");
}

/* Does the work between two marks. */
static NOT_INLINED void marked(void (*work)(void)) {
    roadwire_probe_begin();
    work();
    roadwire_probe_end();
}

/* With what a user would have to free, as in the study's times. */
static NOT_INLINED void decode_and_release(void) {
    decode_once();
    release_other();
}

struct measured {
    char *line;
    long long peak, count;
};

/* The words of a line: name, type, rules, octets. */
static int split(char *line, char *words[4]) {
    int count = 0;
    for (char *word = strtok(line, " \n"); word && count < 4; word = strtok(NULL, " \n"))
        words[count++] = word;
    return count == 4;
}

/* Makes the message of a line the one that is encoded, and the octets that are decoded. */
static int take(char *words[4], unsigned char *octets) {
    size_t length;
    if (strcmp(words[1], TYPE_NAME) != 0 || !start(words[2], words[0]))
        return 0;
    clear();
    length = from_hex(words[3], octets);
    if (!load(octets, length)) {
        fprintf(stderr, "%s %s: it does not decode the message\n", words[0], words[2]);
        return 0;
    }
    if (encode(entries[0].message, output) != (long)length || memcmp(output, octets, length) != 0) {
        fprintf(stderr, "%s %s: other octets than the message's come out\n", words[0], words[2]);
        return 0;
    }
    return 1;
}

int main(void) {
    static char line[2 * ROOM + 256];
    static unsigned char octets[ROOM];
    static struct measured all[MOST];
    static const char *directions[] = {"encode", "decode"};
    static void (*const works[])(void) = {encode_once, decode_and_release};
    int count = 0, at = 0;
    char *words[4];

    /* Instructions first, while there is one thread. Each count is taken twice: it must repeat. */
    marked(nothing);
    marked(nothing);
    while (count < MOST && fgets(line, sizeof line, stdin)) {
        char *kept = strdup(line);
        if (!split(line, words) || !take(words, octets))
            continue;
        for (int one = 0; one < 2; one++) {
            for (int repeat = 0; repeat < 4; repeat++)
                works[one]();
            marked(works[one]);
            marked(works[one]);
            start_counting();
            one == 0 ? encode_once() : decode_once();
            is_counting = 0;
            release_other();
            all[count].line = kept;
            all[count].peak = heap.peak;
            all[count].count = is_heap_lost ? -1 : heap.count;
            count++;
        }
    }
    puts("frame");
    for (at = 0; at < count; at++) {
        char *again = strdup(all[at].line);
        long used;
        if (!split(again, words) || !take(words, octets) || all[at].count < 0)
            return 1;
        used = stack_of(works[at % 2]);
        printf("cell %s %s %s %s %zu ", ENGINE, words[0], words[2], directions[at % 2], entries[0].length);
        used < 0 ? printf("-") : printf("%ld", used);
        printf(" %lld %lld\n", all[at].peak, all[at].count);
    }
    return 0;
}
