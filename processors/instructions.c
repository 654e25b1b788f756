/*
 * A plugin for qemu's user emulation. It counts the instructions between two marks of the program that runs, and writes the count of each such pair on a line.
 *
 * A mark is a function whose name contains `roadwire_probe_begin` or `roadwire_probe_end`. Both are entered by a call, so that each begins a block of
 * translated code, and whole blocks are counted: the count is exact but for a constant, which is that of an empty pair.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "qemu-plugin.h"

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

/* Instructions since the program's start, and at the last `begin`. */
static uint64_t executed, begun;

static void begin(unsigned int processor, void *data)
{
    (void)processor, (void)data;
    begun = executed;
}

static void end(unsigned int processor, void *data)
{
    char line[32];
    (void)processor, (void)data;
    snprintf(line, sizeof line, "%llu\n", (unsigned long long)(executed - begun));
    qemu_plugin_outs(line);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
    const char *name = qemu_plugin_insn_symbol(qemu_plugin_tb_get_insn(block, 0));
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(block, QEMU_PLUGIN_INLINE_ADD_U64, &executed, qemu_plugin_tb_n_insns(block));
    if (name && strstr(name, "roadwire_probe_begin"))
        qemu_plugin_register_vcpu_tb_exec_cb(block, begin, QEMU_PLUGIN_CB_NO_REGS, NULL);
    if (name && strstr(name, "roadwire_probe_end"))
        qemu_plugin_register_vcpu_tb_exec_cb(block, end, QEMU_PLUGIN_CB_NO_REGS, NULL);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int count, char **arguments)
{
    (void)info, (void)count, (void)arguments;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
