/* Protocol Buffers' codec, each direction as a function of its own with the codec's name as its symbol, from which the linker finds all that it needs. */
#include <string>

#include "message.pb.h"

/* The message's functions are virtual: a program refers to all of them where it makes a message. */
MESSAGE *make() __attribute__((noinline));
MESSAGE *make() {
    return new MESSAGE;
}

bool encode_alone(const MESSAGE *message, std::string *octets) __asm__(ENGINE ":" TYPE_NAME ":protobuf:encode");
bool encode_alone(const MESSAGE *message, std::string *octets) {
    return (message ? message : make())->SerializeToString(octets);
}

bool decode_alone(MESSAGE *message, const void *octets, int count) __asm__(ENGINE ":" TYPE_NAME ":protobuf:decode");
bool decode_alone(MESSAGE *message, const void *octets, int count) {
    return (message ? message : make())->ParseFromArray(octets, count);
}
