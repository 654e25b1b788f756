/* asn1tools' generated C: a mandatory-only CAM in OER. */
#include "../protocol.h"

#include "oer.h"

typedef struct oer_cam_pdu__descriptions_cam_t cam;

static int start(const char *rules, const char *message) {
    return (strcmp(rules, "oer") == 0 || strcmp(rules, "coer") == 0) && strcmp(message, "cam-mandatory") == 0;
}

static void *decode(const unsigned char *octets, size_t count, int loaded) {
    static cam places[2];
    return oer_cam_pdu__descriptions_cam_decode(&places[loaded], octets, count) < 0 ? NULL : &places[loaded];
}

static long encode(void *message, unsigned char *output) {
    return oer_cam_pdu__descriptions_cam_encode(output, ROOM, message);
}

static void release(void *message) {
    (void)message;
}

static size_t size(void) {
    return sizeof(cam);
}
