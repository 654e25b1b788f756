/* count FILE: how many frames a recording has, and in how many there is a message. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <roadwire.h>

/* The place of a column; -1 if there is none. */
static int64_t column(const struct ArrowSchema *schema, const char *name)
{
    for (int64_t at = 0; at < schema->n_children; at++)
        if (strcmp(schema->children[at]->name, name) == 0)
            return at;
    return -1;
}

/* How many values of a column are not null: the first buffer has a bit for each, and may be left out if all are there. */
static int64_t values(const struct ArrowArray *array)
{
    if (array->null_count >= 0)
        return array->length - array->null_count;
    const uint8_t *bits = array->buffers[0];
    int64_t count = 0;
    for (int64_t at = array->offset; at < array->offset + array->length; at++)
        count += !bits || (bits[at / 8] >> (at % 8) & 1);
    return count;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: count FILE\n");
        return 2;
    }
    struct ArrowArrayStream stream;
    roadwire_error *error;
    if (roadwire_capture_stream(argv[1], NULL, &stream, &error) != 0) {
        fprintf(stderr, "%s: %s\n", error->code, error->message);
        roadwire_error_free(error);
        return EXIT_FAILURE;
    }

    struct ArrowSchema schema;
    int failed = stream.get_schema(&stream, &schema);
    int64_t message = -1;
    if (!failed) {
        message = column(&schema, "message");
        schema.release(&schema);
    }
    int64_t frames = 0, messages = 0;
    while (!failed) {
        struct ArrowArray batch;
        failed = stream.get_next(&stream, &batch);
        /* A released array is the end. */
        if (failed || !batch.release)
            break;
        frames += batch.length;
        if (message >= 0)
            messages += values(batch.children[message]);
        batch.release(&batch);
    }
    if (failed) {
        const char *why = stream.get_last_error(&stream);
        fprintf(stderr, "%s\n", why ? why : strerror(failed));
    }
    stream.release(&stream);
    printf("%" PRId64 " frames, %" PRId64 " messages\n", frames, messages);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
