/* Any octets into a value that was anything. */
#include "cam.h"
#include "__fc_builtin.h"

static cam_cam value;
static uint8_t octets[SIZE + 1];

int main(void)
{
    rw_error error;
    Frama_C_make_unknown((char *)octets, SIZE);
    Frama_C_make_unknown((char *)&value, sizeof value);
    return cam_cam_decode_uper(&value, octets, SIZE, &error) > SIZE;
}
