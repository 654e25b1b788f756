/* Octets into a value that was anything: SIZE of them, or with RW_ANY_SIZE so many as there may be. */
#include "cam.h"
#include "__fc_builtin.h"

static cam_cam value;
#ifdef RW_ANY_SIZE
static uint8_t octets[1]; /* no octet is looked at but by functions, of which WP proves that it is there */
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
    Frama_C_make_unknown((char *)octets, SIZE);
#endif
    //@ widen_hints global:"all", 4, 16, 40;
    Frama_C_make_unknown((char *)&value, sizeof value);
    return cam_cam_decode_uper(&value, octets, size, &error) > 0;
}
