//! Protocol Buffers ("Encoding").

faults! {
    /// A varint has at most ten octets, and the tenth only one bit.
    VARINT = "fields.varint", "expected a varint of at most ten octets and 64 bits, found a longer one";
    /// The length of a string or a message.
    LENGTH = "fields.length", "expected a length of at most ten octets that this machine can address, found another one";
    /// The wire type 6 or 7.
    WIRE_TYPE = "fields.wire-type", "expected a wire type of 0 to 5";
    /// The field is known, but its type has another wire type.
    WIRE_TYPE_OTHER = "fields.wire-type.other", "expected another wire type";
    /// A key's number.
    NUMBER = "fields.number", "expected a field number of 1 to 536870911";
    /// An unknown field number in a type that is not extensible.
    UNKNOWN = "fields.unknown", "unexpected field";
    /// Groups in an unknown field nest deeper than 32 levels: a limit of ours.
    LIMIT_GROUPS = "fields.limit.groups", "groups nested deeper than the limit of 32 levels";
    /// The wire type 4 without a group that it could end.
    GROUP_END = "fields.group.end", "expected a field, found the end of a group that has not begun";
    /// The end of a group has a number different from that of the group.
    GROUP_OTHER = "fields.group.other", "expected the end of the group, found that of another group";
    /// The message of a CHOICE is empty.
    CHOICE_NONE = "fields.choice.none", "expected the field of one alternative, found none";
    /// Fields of two alternatives in one CHOICE.
    CHOICE_MANY = "fields.choice.many", "expected the field of one alternative, found those of several";
    /// A field number that is not that of an alternative, in a CHOICE that is not extensible.
    CHOICE_UNKNOWN = "fields.choice.unknown", "unexpected field";
}
