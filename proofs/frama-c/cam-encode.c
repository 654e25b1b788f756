/* A value, whose flags are false or true and whose references are valid, into octets: see cam-decode.c. */
#include "cam.h"
#include "__fc_builtin.h"

static cam_cam value;
#ifdef RW_ANY_SIZE
static uint8_t octets[1];
#else
static uint8_t octets[SIZE + 1];
#endif

int main(void)
{
    rw_error error;
#ifdef RW_ANY_SIZE
    size_t size = Frama_C_unsigned_long_interval(0, 0x0fffffffffffffff);
#else
    size_t size = SIZE;
#endif
    //@ widen_hints global:"all", 4, 16, 40;
    Frama_C_make_unknown((char *)&value, sizeof value);
    return cam_cam_encode_uper(&value, octets, size, &error) > 0;
}
