/* Google's Protocol Buffers for C++: the type MESSAGE of message.proto.
   Today's library decodes into one place, again and again, and encodes into a ready buffer. With OF_THEN, as the documentation of 2.4.1 and 2.5.0 shows it: each message is decoded into a new object, and
   encoded into a new string. These accept a message that ends where a choice begins: that a choice has exactly one alternative is left to the user, and is checked here, but not timed. */
#ifdef OF_THEN
#define CHECKS
#endif
#include "../protocol.h"

#include "message.pb.h"

static MESSAGE *loaded_message, *place;

static int start(const char *rules, const char *message) {
    (void)message;
    loaded_message = new MESSAGE;
    place = new MESSAGE;
    return strcmp(rules, "protobuf") == 0;
}

static size_t size(void) {
    return sizeof(MESSAGE);
}

#ifdef OF_THEN
#include <google/protobuf/descriptor.h>

#include <string>
#include <vector>

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

/* The names of the choices' messages, with a space after each. */
static int is_choice(const std::string &name) {
    return std::string(" " CHOICES).find(" " + name + " ") != std::string::npos;
}

static int is_complete(const void *given) {
    const Message &message = *(const MESSAGE *)given;
    std::vector<const Message *> parts(1, &message);
    while (!parts.empty()) {
        const Message &part = *parts.back();
        const Reflection &fields = *part.GetReflection();
        std::vector<const FieldDescriptor *> present;
        parts.pop_back();
        fields.ListFields(part, &present);
        if (is_choice(part.GetDescriptor()->name()) && present.size() != 1)
            return 0;
        for (size_t at = 0; at < present.size(); at++) {
            const FieldDescriptor *field = present[at];
            if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE)
                continue;
            if (!field->is_repeated())
                parts.push_back(&fields.GetMessage(part, field));
            else
                for (int one = 0; one < fields.FieldSize(part, field); one++)
                    parts.push_back(&fields.GetRepeatedMessage(part, field, one));
        }
    }
    return 1;
}

static void release(void *message) {
    if (message != loaded_message)
        delete (MESSAGE *)message;
}

static void *decode(const unsigned char *octets, size_t count, int loaded) {
    MESSAGE *message = loaded ? loaded_message : new MESSAGE;
    if (message->ParseFromArray(octets, (int)count))
        return message;
    release(message);
    return NULL;
}

static long encode(void *message, unsigned char *output) {
    std::string octets;
    if (!((MESSAGE *)message)->SerializeToString(&octets) || octets.size() > ROOM)
        return -1;
    memcpy(output, octets.data(), octets.size());
    return (long)octets.size();
}
#else
static void release(void *message) {
    (void)message;
}

static void *decode(const unsigned char *octets, size_t count, int loaded) {
    MESSAGE *message = loaded ? loaded_message : place;
    return message->ParseFromArray(octets, (int)count) ? message : NULL;
}

static long encode(void *message, unsigned char *output) {
    const MESSAGE *own = (MESSAGE *)message;
    size_t count = own->ByteSizeLong();
    if (count > ROOM)
        return -1;
    own->SerializeWithCachedSizesToArray(output);
    return (long)count;
}
#endif
