/* The runtime alone, for WP; and for Eva calls that prove the goals of open-goals.txt, and how compilers load and store. */
#include "roadwire_rt.h"
#include "__fc_builtin.h"

int main(void)
{
    uint8_t octets[4], eight[8];
    rw_octets of = rw_octets_of(octets, 2);
    Frama_C_make_unknown((char *)octets, sizeof octets);
    for (of.bit = 0; of.bit <= RW_DIGITS; of.bit++) {
        (void)rw_octet(of, 0);
        (void)rw_octet(of, 1);
    }
    {
        uint64_t below = rw_octets_below(Frama_C_unsigned_long_long_interval(0, 0xffffffffffffff));
        //@ assert below <= 6;
        (void)below;
    }
    {
        rw_bits word;
        Frama_C_make_unknown((char *)&word, sizeof word);
        (void)rw_masked(&word);
    }
    rw_store(eight, Frama_C_unsigned_long_long_interval(0, UINT64_MAX));
    if (rw_load(eight) > UINT64_MAX / 2) {
        return eight[7];
    }
    {
        rw_reader reader = rw_reader_of(octets, sizeof octets);
        rw_kept kept;
        uint64_t bits;
        kept.count = 0;
        (void)rw_take_presence(&reader, (uint64_t)Frama_C_interval(0, 40), 8, &bits, &kept);
        return (int)(bits & 1);
    }
}
