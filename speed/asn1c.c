/*
 * Times the code that asn1c generated, for messages in unaligned PER. Each line of the input has a type and a message in
 * hexadecimal; the lines of a type follow each other. For each type a line is printed: of how many messages asn1c decodes
 * all octets, of how many of these it encodes the same octets again, and nanoseconds of processor time for encoding and for
 * decoding one of the latter. Decoding makes the message anew and frees it, as asn1c's users must.
 */

#include <asn_application.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "per_decoder.h"
#include "per_encoder.h"

/* As in src/least.rs: each time is the least of so many rounds, of this many nanoseconds at least. */
enum { ROUNDS = 15 };
static const double ROUND = 10e6;

enum { MESSAGES = 1000, OCTETS = 1 << 16 };

struct message {
    size_t size;
    uint8_t *octets;
    void *value;
};

/* With -pdu=auto: all types that no other type uses, up to a null pointer. */
extern asn_TYPE_descriptor_t *asn_pdu_collection[];

static struct message messages[MESSAGES];
static int count;
static uint8_t buffer[OCTETS];

static void fail(const char *what, const char *about) {
    fprintf(stderr, "asn1c: %s %s\n", what, about);
    exit(1);
}

static asn_TYPE_descriptor_t *type_of(const char *name) {
    for (asn_TYPE_descriptor_t **at = asn_pdu_collection; *at; at++)
        if (!strcmp((*at)->name, name)) return *at;
    fail("there is no type", name);
    return NULL;
}

static void *decoded(asn_TYPE_descriptor_t *type, const struct message *one) {
    void *value = NULL;
    asn_dec_rval_t result = uper_decode_complete(NULL, type, &value, one->octets, one->size);
    if (result.code == RC_OK && result.consumed == one->size) return value;
    ASN_STRUCT_FREE(*type, value);
    return NULL;
}

/* How many octets the value has in the buffer; 0 if it is not encoded. */
static size_t encoded(asn_TYPE_descriptor_t *type, void *value) {
    asn_enc_rval_t result = uper_encode_to_buffer(type, value, buffer, sizeof buffer);
    return result.encoded < 0 ? 0 : (size_t)(result.encoded + 7) / 8;
}

static void decode_all(asn_TYPE_descriptor_t *type) {
    for (int at = 0; at < count; at++) ASN_STRUCT_FREE(*type, decoded(type, &messages[at]));
}

static void encode_all(asn_TYPE_descriptor_t *type) {
    for (int at = 0; at < count; at++) encoded(type, messages[at].value);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

/* Keeps the messages that come back as the same octets, and times those. */
static void compare(const char *name) {
    asn_TYPE_descriptor_t *type = type_of(name);
    int read = 0, same = 0;
    for (int at = 0; at < count; at++) {
        struct message one = messages[at];
        one.value = decoded(type, &one);
        read += one.value != NULL;
        if (one.value && encoded(type, one.value) == one.size && !memcmp(buffer, one.octets, one.size)) messages[same++] = one;
    }
    count = same;
    void (*calls[])(asn_TYPE_descriptor_t *) = {encode_all, decode_all};
    double least[] = {1e18, 1e18};
    int often[] = {1, 1};
    /* The first round says how often. */
    for (int round = 0; count && round <= ROUNDS; round++) {
        for (int call = 0; call < 2; call++) {
            double begun = now();
            for (int at = 0; at < often[call]; at++) calls[call](type);
            double time = (now() - begun) / often[call];
            if (round == 0) often[call] = (int)(ROUND / time) + 1;
            else if (time < least[call]) least[call] = time;
        }
    }
    printf("%s %d %d %.1f %.1f\n", name, read, same, least[0] / (count ? count : 1), least[1] / (count ? count : 1));
    count = 0;
}

int main(void) {
    static char line[3 * OCTETS], name[256];
    while (fgets(line, sizeof line, stdin)) {
        char *digits = strchr(line, ' ');
        if (!digits || count == MESSAGES) fail("a line is wrong, or there are too many:", line);
        *digits++ = 0;
        if (count && strcmp(name, line)) compare(name);
        snprintf(name, sizeof name, "%s", line);
        struct message *one = &messages[count++];
        one->size = strcspn(digits, "\n") / 2;
        one->octets = malloc(one->size + 1);
        if (!one->octets) fail("no memory for", name);
        for (size_t at = 0; at < one->size; at++) sscanf(digits + 2 * at, "%2hhx", &one->octets[at]);
    }
    if (count) compare(name);
    return 0;
}
