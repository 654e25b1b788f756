/* Any value, whose flags are false or true and whose references are valid, into so many octets. */
#include "cam.h"
#include "__fc_builtin.h"

static cam_cam value;
static uint8_t octets[SIZE + 1];

int main(void)
{
    rw_error error;
    Frama_C_make_unknown((char *)&value, sizeof value);
    return cam_cam_encode_uper(&value, octets, SIZE, &error) > SIZE;
}
