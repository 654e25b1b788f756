/* Any octets into a value that was anything, with memory of the caller. */
#include "certificate.h"
#include "__fc_builtin.h"

static certificate_certificate_base value;
static uint8_t octets[SIZE + 1];
static uint64_t memory[64];

int main(void)
{
    rw_error error;
    rw_arena arena = rw_arena_of(memory, sizeof memory);
    Frama_C_make_unknown((char *)octets, SIZE);
    Frama_C_make_unknown((char *)&value, sizeof value);
    return certificate_certificate_base_decode_coer_in(&value, octets, SIZE, &arena, &error) > SIZE;
}
