/* So many octets as there may be into a value that was anything. Lists get room for RW_ROOM elements. */
#include "certificate.h"
#include "__fc_builtin.h"

static certificate_certificate_base value;
static uint8_t octets[1];

int main(void)
{
    rw_error error;
    rw_arena arena = rw_arena_of(NULL, 0);
    size_t size = Frama_C_unsigned_long_interval(0, 0x0fffffffffffffff);
    Frama_C_make_unknown((char *)&value, sizeof value);
    return certificate_certificate_base_decode_coer_in(&value, octets, size, &arena, &error) > 0;
}
