/* asn1c's codecs, each as a function of its own with the codec's name as its symbol, from which the linker finds all that it needs. */
#define SYMBOL(rules, direction) __asm__("asn1c:" TYPE_NAME ":" rules ":" direction)
#define NAMED(prefix, name) prefix##name
#define OF(prefix, name) NAMED(prefix, name)
#define DESCRIPTOR &OF(asn_DEF_, TYPE)

long encode_uper(void *message, void *output, size_t room) SYMBOL("uper", "encode");
long encode_uper(void *message, void *output, size_t room) {
    return uper_encode_to_buffer(DESCRIPTOR, message, output, room).encoded;
}

int decode_uper(void **place, const void *octets, size_t count) SYMBOL("uper", "decode");
int decode_uper(void **place, const void *octets, size_t count) {
    return uper_decode_complete(NULL, DESCRIPTOR, place, octets, count).code;
}

long encode_der(void *message, void *output, size_t room) SYMBOL("der", "encode");
long encode_der(void *message, void *output, size_t room) {
    return der_encode_to_buffer(DESCRIPTOR, message, output, room).encoded;
}

int decode_der(void **place, const void *octets, size_t count) SYMBOL("der", "decode");
int decode_der(void **place, const void *octets, size_t count) {
    return ber_decode(NULL, DESCRIPTOR, place, octets, count).code;
}

long encode_cxer(void *message, asn_app_consume_bytes_f *put, void *key) SYMBOL("cxer", "encode");
long encode_cxer(void *message, asn_app_consume_bytes_f *put, void *key) {
    return xer_encode(DESCRIPTOR, message, XER_F_CANONICAL, put, key).encoded;
}

int decode_cxer(void **place, const void *octets, size_t count) SYMBOL("cxer", "decode");
int decode_cxer(void **place, const void *octets, size_t count) {
    return xer_decode(NULL, DESCRIPTOR, place, octets, count).code;
}
