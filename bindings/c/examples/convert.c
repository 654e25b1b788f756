/* convert SCHEMA FROM TO: the message on stdin in another encoding, on stdout. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <roadwire.h>

static int failed(roadwire_error *error)
{
    fprintf(stderr, "%s: %s\n", error->code, error->message);
    if (error->bit >= 0)
        fprintf(stderr, "at bit %" PRId64 ", in %s\n", error->bit, error->path);
    roadwire_error_free(error);
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: convert SCHEMA FROM TO < MESSAGE\n");
        return 2;
    }
    static uint8_t input[65536];
    size_t size = fread(input, 1, sizeof input, stdin);

    roadwire_error *error;
    roadwire_schema *schema = roadwire_schema_shipped(argv[1], &error);
    if (!schema)
        return failed(error);
    roadwire_converter *converter = roadwire_converter_new(schema, NULL, argv[2], argv[3], 0, &error);
    roadwire_schema_free(schema);
    if (!converter)
        return failed(error);

    /* Larger than most; for the others there is `needed`. */
    size_t room = 4096, needed;
    uint8_t *output = malloc(room);
    ptrdiff_t length = roadwire_convert(converter, input, size, output, room, &needed, &error);
    if (length < 0 && needed > room) {
        roadwire_error_free(error);
        output = realloc(output, needed);
        length = roadwire_convert(converter, input, size, output, needed, NULL, &error);
    }
    roadwire_converter_free(converter);
    int code = length < 0 ? failed(error) : EXIT_SUCCESS;
    if (length > 0)
        fwrite(output, 1, (size_t)length, stdout);
    free(output);
    return code;
}
