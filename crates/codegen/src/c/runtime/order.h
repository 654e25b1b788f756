/* The elements of a SET OF in canonical octet rules, in the order of their octets (X.696 clause 31.8). None is the start of
   another. */
typedef struct rw_order {
    uint32_t *ends; /* where elements end; NULL: these are in the last octets of the output, from the end on */
    size_t start;
    size_t size;    /* of the output */
    size_t count;
} rw_order;

static inline rw_order rw_order_of(const rw_writer *writer, uint32_t *ends)
{
    rw_order order = {ends, writer->stored, writer->size, 0};
    return order;
}

/* Where so many elements end. */
static inline size_t rw_end_of(const rw_writer *writer, const rw_order *order, size_t count)
{
    uint32_t end;
    if (count == 0) {
        return order->start;
    }
    if (order->ends != NULL) {
        return order->start + order->ends[count - 1];
    }
    memcpy(&end, writer->out + order->size - count * sizeof end, sizeof end);
    return order->start + end;
}

static inline void rw_set_end(rw_writer *writer, rw_order *order, size_t count, size_t end)
{
    uint32_t offset = (uint32_t)(end - order->start);
    if (order->ends != NULL) {
        order->ends[count - 1] = offset;
    } else {
        memcpy(writer->out + order->size - count * sizeof offset, &offset, sizeof offset);
    }
}

/* Whether an element of a place comes after the octets of a new one. */
static inline bool rw_is_after(const rw_writer *writer, const rw_order *order, size_t at, const uint8_t *octets, size_t size)
{
    size_t from = rw_end_of(writer, order, at), other = rw_end_of(writer, order, at + 1) - from;
    return memcmp(writer->out + from, octets, other < size ? other : size) > 0;
}

/* Moves the element that was written last to its place. */
RW_APART int rw_settle_order(rw_writer *writer, rw_order *order)
{
    const size_t before = rw_end_of(writer, order, order->count), size = writer->stored - before;
    size_t low = 0, high = order->count, from, at;
    uint8_t *out = writer->out;
    if (size > UINT32_MAX || writer->stored - order->start > UINT32_MAX) {
        return RW_SIZE_CAPACITY;
    }
    if (order->ends == NULL) {
        if (writer->size - writer->stored < sizeof(uint32_t)) {
            return RW_OUTPUT_FULL;
        }
        writer->size -= sizeof(uint32_t);
    }
    /* The last one is where most belong. */
    if (high > 0 && !rw_is_after(writer, order, high - 1, out + before, size)) {
        low = high;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rw_is_after(writer, order, middle, out + before, size)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    from = rw_end_of(writer, order, low);
    rw_reverse(out + from, before - from);
    rw_reverse(out + before, size);
    rw_reverse(out + from, before - from + size);
    for (at = order->count; at > low; at--) {
        rw_set_end(writer, order, at + 1, rw_end_of(writer, order, at) + size);
    }
    rw_set_end(writer, order, low + 1, from + size);
    order->count++;
    return 0;
}
