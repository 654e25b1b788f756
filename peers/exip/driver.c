/* exip: documents by the grammars of XML schemas. A message in memory is its events, as the library's callbacks report them; they are written in the same order. */
#include "../protocol.h"

#include "EXIParser.h"
#include "EXISerializer.h"
#include "grammarGenerator.h"

#define EVENTS 4096
#define TEXT 65536

enum what { START, END, WHOLE, TRUTH, TEXTUAL, BINARY };

struct event {
    enum what what;
    QName name;
    Integer whole;
    const char *text;
    Index length;
};

/* Texts are copied: the library's own end with the document. */
struct events {
    struct event list[EVENTS];
    size_t count, text_used;
    char text[TEXT];
    int is_full;
};

static struct events places[2];
static EXIPSchema grammars;
static int is_strict;

static struct event *add(void *place, enum what what) {
    struct events *events = place;
    struct event *event = &events->list[events->count];
    if (events->count == EVENTS - 1)
        events->is_full = 1;
    else
        events->count++;
    event->what = what;
    return event;
}

static errorCode on_start(QName name, void *place) {
    add(place, START)->name = name;
    return EXIP_OK;
}

static errorCode on_end(void *place) {
    add(place, END);
    return EXIP_OK;
}

static errorCode on_whole(Integer value, void *place) {
    add(place, WHOLE)->whole = value;
    return EXIP_OK;
}

static errorCode on_truth(boolean value, void *place) {
    add(place, TRUTH)->whole = value;
    return EXIP_OK;
}

static errorCode keep(enum what what, const char *text, Index length, void *place) {
    struct events *events = place;
    struct event *event = add(place, what);
    if (length > TEXT - events->text_used) {
        events->is_full = 1;
        return EXIP_HANDLER_STOP;
    }
    memcpy(events->text + events->text_used, text, length);
    event->text = events->text + events->text_used;
    event->length = length;
    events->text_used += length;
    return EXIP_OK;
}

static errorCode on_text(const String value, void *place) {
    return keep(TEXTUAL, value.str, value.length, place);
}

static errorCode on_binary(const char *octets, Index count, void *place) {
    return keep(BINARY, octets, count, place);
}

/* Reads the schema, which is itself an EXI document with its prefixes. */
static int read_grammars(const char *path) {
    static char octets[1 << 20];
    BinaryBuffer buffer;
    EXIOptions options;
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    memset(&buffer, 0, sizeof buffer);
    buffer.buf = octets;
    buffer.bufLen = sizeof octets;
    buffer.bufContent = fread(octets, 1, sizeof octets, file);
    fclose(file);
    makeDefaultOpts(&options);
    SET_PRESERVED(options.preserve, PRESERVE_PREFIXES);
    return generateSchemaInformedGrammars(&buffer, 1, SCHEMA_FORMAT_XSD_EXI, &options, &grammars, NULL) == EXIP_OK;
}

static int start(const char *rules, const char *message) {
    char path[4096];
    (void)message;
    is_strict = strcmp(rules, "exi") == 0;
    if (!is_strict && strcmp(rules, "exi-default") != 0)
        return 0;
    snprintf(path, sizeof path, "%s/%s-%s.exi", SCHEMAS, schema, rules);
    return read_grammars(path);
}

static void *decode(const unsigned char *octets, size_t count, int loaded) {
    struct events *place = &places[loaded];
    BinaryBuffer buffer;
    Parser parser;
    errorCode done;
    memset(&buffer, 0, sizeof buffer);
    buffer.buf = (char *)octets;
    buffer.bufLen = buffer.bufContent = count;
    place->count = place->text_used = place->is_full = 0;
    done = parse.initParser(&parser, buffer, place);
    if (done != EXIP_OK)
        return NULL;
    parser.handler.startElement = on_start;
    parser.handler.endElement = on_end;
    parser.handler.intData = on_whole;
    parser.handler.booleanData = on_truth;
    parser.handler.stringData = on_text;
    parser.handler.binaryData = on_binary;
    if (is_strict)
        SET_STRICT(parser.strm.header.opts.enumOpt);
    done = parse.parseHeader(&parser, TRUE);
    if (done == EXIP_OK)
        done = parse.setSchema(&parser, &grammars);
    while (done == EXIP_OK)
        done = parse.parseNext(&parser);
    parse.destroyParser(&parser);
    return done == EXIP_PARSING_COMPLETE && !place->is_full ? place : NULL;
}

static errorCode put(EXIStream *stream, const struct event *event) {
    EXITypeClass type;
    String text;
    switch (event->what) {
    case START:
        return serialize.startElement(stream, event->name, &type);
    case END:
        return serialize.endElement(stream);
    case WHOLE:
        return serialize.intData(stream, event->whole);
    case TRUTH:
        return serialize.booleanData(stream, (boolean)event->whole);
    case BINARY:
        return serialize.binaryData(stream, event->text, event->length);
    default:
        text.str = (CharType *)event->text;
        text.length = event->length;
        return serialize.stringData(stream, text);
    }
}

static long encode(void *message, unsigned char *output) {
    const struct events *events = message;
    BinaryBuffer buffer;
    EXIStream stream;
    errorCode done;
    long octets;
    memset(&buffer, 0, sizeof buffer);
    buffer.buf = (char *)output;
    buffer.bufLen = ROOM;
    serialize.initHeader(&stream);
    if (is_strict)
        SET_STRICT(stream.header.opts.enumOpt);
    done = serialize.initStream(&stream, buffer, &grammars);
    if (done != EXIP_OK)
        return -1;
    done = serialize.exiHeader(&stream);
    if (done == EXIP_OK)
        done = serialize.startDocument(&stream);
    for (size_t at = 0; at < events->count && done == EXIP_OK; at++)
        done = put(&stream, &events->list[at]);
    if (done == EXIP_OK)
        done = serialize.endDocument(&stream);
    octets = (long)stream.buffer.bufContent;
    if (serialize.closeEXIStream(&stream) != EXIP_OK || done != EXIP_OK)
        return -1;
    return octets;
}

static void release(void *message) {
    (void)message;
}

/* The library has no message in memory. */
static size_t size(void) {
    return 0;
}
