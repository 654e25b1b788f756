/* hostile FOLDER: calls that no program should make, beside some that it should. Reads a CAM in UPER from stdin, and writes recordings into the folder. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <roadwire.h>

static _Atomic int checks;

#define CHECK(condition)                                                      \
    do {                                                                      \
        checks++;                                                             \
        if (!(condition)) {                                                   \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);   \
            exit(1);                                                          \
        }                                                                     \
    } while (0)

/* There is an error with this code, which is freed. */
#define REFUSED(error, expected)                                              \
    do {                                                                      \
        CHECK((error) != NULL);                                               \
        if (strcmp((error)->code, (expected)) != 0)                           \
            fprintf(stderr, "%s: %s\n", (error)->code, (error)->message);     \
        CHECK(strcmp((error)->code, (expected)) == 0);                        \
        CHECK((error)->message[0] != 0 && (error)->path != NULL);             \
        roadwire_error_free(error);                                           \
    } while (0)

static uint8_t cam[64];
static size_t cam_size;
static roadwire_schema *schema;

static roadwire_converter *converter(const char *from, const char *to)
{
    roadwire_error *error;
    roadwire_converter *made = roadwire_converter_new(schema, NULL, from, to, 0, &error);
    CHECK(made != NULL && error == NULL);
    return made;
}

/* The same numbers in each run. */
static uint32_t next(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void nulls(void)
{
    roadwire_error *error = (roadwire_error *)0x1;
    roadwire_error_free(NULL);
    roadwire_schema_free(NULL);
    roadwire_converter_free(NULL);
    CHECK(roadwire_schema_shipped(NULL, NULL) == NULL);
    CHECK(roadwire_schema_shipped(NULL, &error) == NULL);
    REFUSED(error, "argument.null");
    CHECK(roadwire_schema_shipped("cam-9", &error) == NULL);
    REFUSED(error, "schema.unknown");
    CHECK(roadwire_schema_shipped("\xff\xfe", &error) == NULL);
    REFUSED(error, "argument.utf8");
    CHECK(roadwire_schema_compile(NULL, 1, &error) == NULL);
    REFUSED(error, "argument.null");
    CHECK(roadwire_schema_compile(NULL, SIZE_MAX, &error) == NULL);
    REFUSED(error, "argument.null");
    roadwire_module hollow = {NULL, NULL, 9};
    CHECK(roadwire_schema_compile(&hollow, 1, &error) == NULL);
    REFUSED(error, "argument.null");
    CHECK(roadwire_schema_compile(&hollow, SIZE_MAX, &error) == NULL);
    REFUSED(error, "argument.size");
    CHECK(roadwire_converter_new(NULL, NULL, "uper", "jer", 0, &error) == NULL);
    REFUSED(error, "argument.null");
    CHECK(roadwire_converter_new(schema, NULL, NULL, "jer", 0, &error) == NULL);
    REFUSED(error, "argument.null");
    CHECK(roadwire_converter_new(schema, NULL, "uper", "morse", 0, &error) == NULL);
    REFUSED(error, "rules.unknown");
    CHECK(roadwire_converter_new(schema, "Lorry", "uper", "jer", 0, &error) == NULL);
    REFUSED(error, "type.unknown");
    CHECK(roadwire_converter_new(schema, "\x80", "uper", "jer", 0, &error) == NULL);
    REFUSED(error, "argument.utf8");
    CHECK(roadwire_converter_new(schema, NULL, "uper", "jer", 0x80, &error) == NULL);
    REFUSED(error, "argument.flags");
    CHECK(roadwire_convert(NULL, cam, cam_size, NULL, 0, NULL, NULL) == -1);
    size_t needed = 7;
    CHECK(roadwire_convert(NULL, cam, cam_size, NULL, 0, &needed, &error) == -1 && needed == 0);
    REFUSED(error, "argument.null");
    CHECK(roadwire_shipped(0) != NULL && roadwire_shipped(SIZE_MAX) == NULL);
    CHECK(strlen(roadwire_version()) >= 5);
}

static void buffers(void)
{
    roadwire_converter *made = converter("uper", "jer");
    roadwire_error *error;
    size_t needed;
    CHECK(roadwire_convert(made, NULL, 9, NULL, 0, NULL, &error) == -1);
    REFUSED(error, "argument.null");
    CHECK(roadwire_convert(made, cam, SIZE_MAX, NULL, 0, NULL, &error) == -1);
    REFUSED(error, "argument.size");
    CHECK(roadwire_convert(made, NULL, 0, NULL, 0, NULL, &error) == -1);
    REFUSED(error, "input.truncated");
    CHECK(roadwire_convert(made, cam, cam_size, NULL, 0, &needed, &error) == -1);
    REFUSED(error, "output.full");
    CHECK(roadwire_convert(made, cam, cam_size, NULL, SIZE_MAX, NULL, &error) == -1);
    REFUSED(error, "argument.null");

    /* Room for every size up to the right one, from malloc: valgrind sees what is written behind it. */
    size_t right = needed;
    for (size_t room = 0; room <= right; room++) {
        uint8_t *output = malloc(room + 1);
        output[room] = 0xaa;
        ptrdiff_t length = roadwire_convert(made, cam, cam_size, output, room, &needed, &error);
        CHECK(needed == right && output[room] == 0xaa);
        if (room < right) {
            CHECK(length == -1);
            REFUSED(error, "output.full");
        } else {
            CHECK(length == (ptrdiff_t)right && error == NULL && output[0] == '{');
        }
        free(output);
    }

    /* Text in place of octets, in the same buffer. */
    uint8_t both[4096];
    memcpy(both, cam, cam_size);
    ptrdiff_t length = roadwire_convert(made, both, cam_size, both, sizeof both, NULL, &error);
    CHECK(length == (ptrdiff_t)right);
    roadwire_converter *back = converter("jer", "uper");
    length = roadwire_convert(back, both, right, both, sizeof both, NULL, &error);
    CHECK(length == (ptrdiff_t)cam_size && memcmp(both, cam, cam_size) == 0);
    CHECK(roadwire_convert(back, (const uint8_t *)"{\xff", 2, both, sizeof both, NULL, &error) == -1);
    REFUSED(error, "json.utf8");
    roadwire_converter_free(back);
    roadwire_converter_free(made);
}

static void errors(void)
{
    static const char *const rules[] = {"uper", "aper", "coer", "der", "jer", "xer", "exi", "protobuf", "cbor"};
    uint32_t state = 2463534242;
    size_t refused = 0;
    for (size_t at = 0; at < sizeof rules / sizeof *rules; at++) {
        roadwire_converter *made = converter(rules[at], "oer");
        uint8_t output[4096];
        for (int time = 0; time < 1200; time++) {
            /* Of its own size, so that valgrind sees what is read behind it. */
            size_t size = next(&state) % 80;
            uint8_t *input = malloc(size ? size : 1);
            for (size_t octet = 0; octet < size; octet++)
                input[octet] = (uint8_t)next(&state);
            /* Half of them begin as a CAM does. */
            if (time % 2 && at == 0)
                memcpy(input, cam, size < cam_size ? size : cam_size);
            roadwire_error *error;
            ptrdiff_t length = roadwire_convert(made, input, size, output, sizeof output, NULL, &error);
            CHECK((length < 0) == (error != NULL) && length <= (ptrdiff_t)sizeof output);
            if (error) {
                CHECK(error->bit >= -1 && error->bit <= (int64_t)size * 8 && error->code[0] && error->message[0]);
                refused++;
            }
            roadwire_error_free(error);
            free(input);
        }
        roadwire_converter_free(made);
    }
    CHECK(refused >= 10000);
    printf("%zu errors\n", refused);
}

static void modules(void)
{
    static const char text[] = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN Motion ::= SEQUENCE { "
                               "speed INTEGER (0..16383), lane INTEGER (1..14) OPTIONAL } END";
    roadwire_error *error;
    roadwire_module module = {"demo.asn", text, sizeof text - 1};
    roadwire_schema *demo = roadwire_schema_compile(&module, 1, &error);
    CHECK(demo != NULL && error == NULL);
    roadwire_converter *made = roadwire_converter_new(demo, NULL, "jer", "uper", ROADWIRE_STRICT, &error);
    CHECK(made != NULL);
    /* Its converters live on. */
    roadwire_schema_free(demo);
    static const char value[] = "{\"speed\": 1200, \"lane\": 3}";
    uint8_t output[3];
    ptrdiff_t length = roadwire_convert(made, (const uint8_t *)value, sizeof value - 1, output, 3, NULL, &error);
    CHECK(length == 3 && memcmp(output, "\x89\x60\x40", 3) == 0);
    roadwire_converter_free(made);
    for (module.size = 0; module.size < sizeof text - 1; module.size += 3) {
        CHECK(roadwire_schema_compile(&module, 1, &error) == NULL || module.size == 0);
        CHECK(error != NULL);
        roadwire_error_free(error);
    }
}

/* The deepest values on the smallest stack that the README allows. */
static void *deep(void *unused)
{
    (void)unused;
    static const char text[] = "Demo DEFINITIONS AUTOMATIC TAGS ::= BEGIN "
                               "Nest ::= SEQUENCE { inner Nest OPTIONAL, list SEQUENCE OF Nest OPTIONAL } END";
    static const char *const rules[] = {"uper", "oer", "ber", "xer", "jer", "cbor"};
    roadwire_error *error;
    roadwire_module module = {"demo.asn", text, sizeof text - 1};
    roadwire_schema *demo = roadwire_schema_compile(&module, 1, &error);
    CHECK(demo != NULL);
    static const char open[] = "{\"inner\":";
    static uint8_t value[8192], output[65536];
    size_t refused = 0;
    for (size_t levels = 1; levels < 200; levels += 7) {
        size_t size = 0;
        for (size_t level = 0; level < levels; level++, size += sizeof open - 1)
            memcpy(value + size, open, sizeof open - 1);
        memcpy(value + size, "{}", 2);
        size += 2;
        memset(value + size, '}', levels);
        size += levels;
        for (size_t at = 0; at < sizeof rules / sizeof *rules; at++) {
            roadwire_converter *to = roadwire_converter_new(demo, "Nest", "jer", rules[at], 0, &error);
            CHECK(to != NULL);
            ptrdiff_t length = roadwire_convert(to, value, size, output, sizeof output, NULL, &error);
            roadwire_converter_free(to);
            if (length < 0) {
                refused++;
                roadwire_error_free(error);
                continue;
            }
            roadwire_converter *back = roadwire_converter_new(demo, "Nest", rules[at], "jer", 0, &error);
            CHECK(back != NULL);
            length = roadwire_convert(back, output, (size_t)length, output, sizeof output, NULL, &error);
            CHECK(length == (ptrdiff_t)size && memcmp(output, value, size) == 0);
            roadwire_converter_free(back);
        }
    }
    CHECK(refused > 0);
    roadwire_schema_free(demo);
    return NULL;
}

static void *thread(void *unused)
{
    (void)unused;
    roadwire_converter *made = converter("uper", "jer");
    for (int time = 0; time < 200; time++) {
        uint8_t output[4096];
        /* Each second time the interpreter, which says what is wrong. */
        roadwire_error *error;
        ptrdiff_t length = roadwire_convert(made, cam, cam_size - time % 2, output, sizeof output, NULL, &error);
        if ((length < 0) != time % 2)
            return made;
        roadwire_error_free(error);
    }
    roadwire_converter_free(made);
    return NULL;
}

static void threads(void)
{
    pthread_t small;
    pthread_attr_t attributes;
    CHECK(pthread_attr_init(&attributes) == 0 && pthread_attr_setstacksize(&attributes, 2 << 20) == 0);
    CHECK(pthread_create(&small, &attributes, deep, NULL) == 0 && pthread_join(small, NULL) == 0);
    CHECK(pthread_attr_destroy(&attributes) == 0);

    pthread_t all[4];
    for (int at = 0; at < 4; at++)
        CHECK(pthread_create(&all[at], NULL, thread, NULL) == 0);
    for (int at = 0; at < 4; at++) {
        void *wrong;
        CHECK(pthread_join(all[at], &wrong) == 0 && wrong == NULL);
    }
}

/* Writes a pcap file of so many frames, without the octets that are to be missing at its end: CAMs in BTP-B and GeoNetworking (single hop) on Ethernet. */
static void recording(const char *path, uint32_t frames, size_t missing)
{
    static const uint8_t head[24] = {0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, [18] = 1, [20] = 1};
    static const uint8_t headers[] = {
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xa1, 0xb2, 0xc3, 0xd4, 0xe5, 0xf6, 0x89, 0x47,        /* Ethernet */
        0x11, 0, 0x1a, 1, 0x20, 0x50, 2, 0x80, 0, 30, 1, 0,                                        /* basic and common header */
        0x14, 0, 0xa1, 0xb2, 0xc3, 0xd4, 0xe5, 0xf6, 0, 0, 3, 0xe8, 0x1d, 0x4e, 0xeb, 0x6c, 0x09, /* who, when, where */
        0xe4, 0x99, 0x24, 0x80, 0, 3, 0x84, 0, 0, 0, 0,
        0x07, 0xd1, 0, 0};                                                                         /* BTP-B, port 2001 */
    uint8_t record[16 + sizeof headers + sizeof cam] = {0};
    size_t size = sizeof headers + cam_size;
    record[8] = record[12] = (uint8_t)size;
    memcpy(record + 16, headers, sizeof headers);
    memcpy(record + 16 + sizeof headers, cam, cam_size);
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && cam_size == 26 && size < 256);
    CHECK(fwrite(head, 1, sizeof head, file) == sizeof head);
    for (uint32_t frame = 1; frame <= frames; frame++) {
        size_t length = 16 + size - (frame == frames ? missing : 0);
        CHECK(fwrite(record, 1, length, file) == length);
    }
    CHECK(fclose(file) == 0);
}

/* Refused with this code, and the stream is a released one. */
static void no_capture(const char *path, const roadwire_capture *options, const char *code)
{
    roadwire_error *error;
    struct ArrowArrayStream stream;
    memset(&stream, 0xaa, sizeof stream);
    CHECK(roadwire_capture_stream(path, options, &stream, &error) == -1 && stream.release == NULL);
    REFUSED(error, code);
    memset(&stream, 0xaa, sizeof stream);
    CHECK(roadwire_capture_stream(path, options, &stream, NULL) == -1 && stream.release == NULL);
}

/* The next batch, which is freed; how many rows it has, 0 at the end, -1 for an error. */
static int64_t rows(struct ArrowArrayStream *stream)
{
    struct ArrowArray batch;
    if (stream->get_next(stream, &batch) != 0)
        return -1;
    if (!batch.release)
        return 0;
    int64_t length = batch.length;
    CHECK(length > 0 && batch.n_children > 0);
    batch.release(&batch);
    CHECK(batch.release == NULL);
    return length;
}

static void captures(const char *folder)
{
    char path[4096];
    struct ArrowArrayStream stream, other;
    struct ArrowSchema columns;
    struct ArrowArray batch;
    roadwire_error *error;
    const char *const trust[] = { "/nowhere", NULL };
    const roadwire_capture verified = { .flags = ROADWIRE_VERIFY, .jobs = 3 };
    CHECK(snprintf(path, sizeof path, "%s/hostile.pcap", folder) < (int)sizeof path);

    CHECK(roadwire_capture_stream(path, NULL, NULL, NULL) == -1);
    CHECK(roadwire_capture_stream(path, NULL, NULL, &error) == -1);
    REFUSED(error, "argument.null");
    no_capture(NULL, NULL, "argument.null");
    no_capture(NULL, &verified, "argument.null");
    no_capture(path, &(roadwire_capture){ .flags = ROADWIRE_STRICT }, "argument.flags");
    no_capture(path, &(roadwire_capture){ .flags = UINT32_MAX }, "argument.flags");
    no_capture(path, &(roadwire_capture){ .flags = ROADWIRE_PROFILE_ETSI | ROADWIRE_PROFILE_NONE }, "argument.flags");
    no_capture(path, &(roadwire_capture){ .trust_count = 1 }, "argument.null");
    no_capture(path, &(roadwire_capture){ .trust = trust, .trust_count = SIZE_MAX }, "argument.size");
    no_capture(path, &(roadwire_capture){ .trust = trust + 1, .trust_count = 1 }, "argument.null");
    no_capture("", NULL, "file.io");
    no_capture("/nowhere/\xff\xfe.pcap", &verified, "file.io");
    no_capture(folder, NULL, "file.io");
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fputs("no recording at all, but some text", file) >= 0 && fclose(file) == 0);
    no_capture(path, NULL, "capture.format");
    CHECK((file = fopen(path, "wb")) != NULL && fclose(file) == 0);
    no_capture(path, NULL, "capture.format");

    /* A recording without frames. */
    recording(path, 0, 0);
    no_capture(path, &(roadwire_capture){ .trust = trust, .trust_count = 1 }, "file.io");
    CHECK(roadwire_capture_stream(path, NULL, &stream, &error) == 0 && error == NULL);
    CHECK(rows(&stream) == 0 && rows(&stream) == 0);
    stream.release(&stream);
    CHECK(stream.release == NULL);

    /* All of one, with its columns; what is told at the end is told again. */
    recording(path, 40000, 0);
    CHECK(roadwire_capture_stream(path, &verified, &stream, NULL) == 0);
    CHECK(stream.get_schema(&stream, &columns) == 0 && strcmp(columns.format, "+s") == 0 && columns.n_children > 4);
    CHECK(strcmp(columns.children[0]->name, "file") == 0);
    int64_t all = 0, some;
    while ((some = rows(&stream)) > 0)
        all += some;
    CHECK(some == 0 && all == 40000 && rows(&stream) == 0);
    stream.release(&stream);
    /* The columns live on. */
    CHECK(strcmp(columns.children[1]->name, "frame") == 0);
    columns.release(&columns);

    /* Released early: before anything is taken, and while the thread that reads ahead waits. A batch lives on, and a stream can be moved. */
    CHECK(roadwire_capture_stream(path, NULL, &stream, &error) == 0);
    stream.release(&stream);
    CHECK(roadwire_capture_stream(path, NULL, &stream, &error) == 0);
    CHECK(stream.get_next(&stream, &batch) == 0 && batch.release != NULL);
    memcpy(&other, &stream, sizeof other);
    stream.release = NULL;
    CHECK(rows(&other) > 0);
    other.release(&other);
    CHECK(batch.length > 0 && batch.length < 40000 && batch.children[0]->length == batch.length);
    batch.release(&batch);

    /* One that ends within a frame: the others come first, and the error has a code. */
    recording(path, 3, 10);
    CHECK(roadwire_capture_stream(path, NULL, &stream, &error) == 0 && error == NULL);
    CHECK(rows(&stream) == 2 && rows(&stream) == -1);
    const char *why = stream.get_last_error(&stream);
    CHECK(why != NULL && strstr(why, "[capture.truncated]") != NULL);
    CHECK(rows(&stream) == 0);
    stream.release(&stream);
    CHECK(remove(path) == 0);
}

int main(int argc, char **argv)
{
    roadwire_error *error;
    CHECK(argc == 2);
    cam_size = fread(cam, 1, sizeof cam, stdin);
    schema = roadwire_schema_shipped("cam-1.4.1", &error);
    CHECK(schema != NULL && error == NULL);
    nulls();
    buffers();
    errors();
    modules();
    threads();
    captures(argv[1]);
    roadwire_schema_free(schema);
    printf("%d checks\n", (int)checks);
    return 0;
}
