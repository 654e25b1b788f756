/* roadwire's generated codecs in C, each as a function of its own with the codec's name as its symbol. */
#include "message.h"

#define SYMBOL(rules, direction) __asm__("roadwire-c:" TYPE_NAME ":" rules ":" direction)

#define CODEC(rules, encoder, decoder)                                                                                            \
    ptrdiff_t alone_##encoder(const MESSAGE *value, uint8_t *out, size_t size, rw_error *error) SYMBOL(rules, "encode");             \
    ptrdiff_t alone_##encoder(const MESSAGE *value, uint8_t *out, size_t size, rw_error *error) {                                    \
        return encoder(value, out, size, error);                                                                                  \
    }                                                                                                                             \
    ptrdiff_t alone_##decoder(MESSAGE *value, const uint8_t *in, size_t size, rw_arena *arena, rw_error *error) SYMBOL(rules, "decode"); \
    ptrdiff_t alone_##decoder(MESSAGE *value, const uint8_t *in, size_t size, rw_arena *arena, rw_error *error) {                     \
        return decoder(value, in, size, arena, error);                                                                            \
    }
EACH_CODEC(CODEC)
