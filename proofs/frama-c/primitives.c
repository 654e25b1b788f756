/* The runtime alone, for WP; and for Eva calls that prove the two goals of open-goals.txt. */
#include "roadwire_rt.h"
#include "__fc_builtin.h"

int main(void)
{
    uint8_t octets[4];
    rw_octets of = rw_octets_of(octets, 2);
    Frama_C_make_unknown((char *)octets, sizeof octets);
    for (of.bit = 0; of.bit <= RW_DIGITS; of.bit++) {
        (void)rw_octet(of, 0);
        (void)rw_octet(of, 1);
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
