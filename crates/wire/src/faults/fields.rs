//! Protocol Buffers ("Encoding").

faults! {
    /// A varint has at most ten octets, and the tenth only one bit.
    VARINT = "fields.varint", "a varint of more than ten octets, or of more than 64 bits";
    /// The length of a string or a message.
    LENGTH = "fields.length", "a length of more than ten octets, or of more octets than this machine can address";
    /// The wire type 6 or 7.
    WIRE_TYPE = "fields.wire-type", "a wire type that does not exist";
    /// The field is known, but its type has another wire type.
    WIRE_TYPE_OTHER = "fields.wire-type.other", "the wire type of another type";
    /// A key's number.
    NUMBER = "fields.number", "a field number that is 0 or above 2^29 - 1";
    /// An unknown field number in a type that is not extensible.
    UNKNOWN = "fields.unknown", "a field that the type does not have";
    /// Groups in an unknown field nest deeper than 32 levels: a limit of ours.
    LIMIT_GROUPS = "fields.limit.groups", "groups that nest too deep";
    /// The wire type 4 without a group that it could end.
    GROUP_END = "fields.group.end", "the end of no group";
    /// The end of a group has another number than the group.
    GROUP_OTHER = "fields.group.other", "the end of another group";
    /// The message of a CHOICE is empty.
    CHOICE_NONE = "fields.choice.none", "a CHOICE without an alternative";
    /// Fields of two alternatives in one CHOICE.
    CHOICE_MANY = "fields.choice.many", "a CHOICE with more than one alternative";
    /// A field number that is not that of an alternative, in a CHOICE that is not extensible.
    CHOICE_UNKNOWN = "fields.choice.unknown", "a field of no alternative";
}
