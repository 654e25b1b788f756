/* Google's Protocol Buffers for C++: CAM and DENM. */
#include "../protocol.h"

#include "cam.pb.h"
#include "denm.pb.h"

using google::protobuf::MessageLite;

/* The message that is encoded, and the place that others are decoded into, again and again, as the library means it. */
static MessageLite *loaded_message, *place;
static size_t own_size;

template <typename Message> static int have() {
    loaded_message = new Message;
    place = new Message;
    own_size = sizeof(Message);
    return 1;
}

static int start(const char *rules, const char *message) {
    if (strcmp(rules, "protobuf") != 0)
        return 0;
    if (strncmp(message, "cam", 3) == 0)
        return have<cam::CAM>();
    return strncmp(message, "denm", 4) == 0 && have<denm::DENM>();
}

static void *decode(const unsigned char *octets, size_t count, int loaded) {
    MessageLite *message = loaded ? loaded_message : place;
    return message->ParseFromArray(octets, (int)count) ? message : NULL;
}

static long encode(void *message, unsigned char *output) {
    const MessageLite *lite = (MessageLite *)message;
    size_t count = lite->ByteSizeLong();
    if (count > ROOM)
        return -1;
    lite->SerializeWithCachedSizesToArray(output);
    return (long)count;
}

static void release(void *message) {
    (void)message;
}

static size_t size(void) {
    return own_size;
}
