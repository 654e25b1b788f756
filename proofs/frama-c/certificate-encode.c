/* A value, whose flags are false or true and whose references are valid, into so many octets as there may be. */
#include "certificate.h"
#include "__fc_builtin.h"

static certificate_certificate_base value;
static uint8_t octets[1];

int main(void)
{
    rw_error error;
    size_t size = Frama_C_unsigned_long_interval(0, 0x0fffffffffffffff);
    Frama_C_make_unknown((char *)&value, sizeof value);
    return certificate_certificate_base_encode_coer(&value, octets, size, &error) > 0;
}
