/* What a Cortex-M4 does before `main`. newlib's rdimon gives `printf` and `exit`: calls of the debugger, which the emulator
   answers (semihosting). On a board, vectors and `reset` are the manufacturer's, and this file is not needed. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Of image.ld. */
extern uint32_t image_stack[], image_data_load[], image_data[], image_data_end[], image_bss[], image_bss_end[];

void initialise_monitor_handles(void);
void _exit(int status);
int main(void);

/* newlib calls them before `main` and at the end: C has nothing to do there. */
void _init(void);
void _fini(void);
void _init(void) {}
void _fini(void) {}

static void reset(void)
{
    memcpy(image_data, image_data_load, (size_t)((uintptr_t)image_data_end - (uintptr_t)image_data));
    memset(image_bss, 0, (size_t)((uintptr_t)image_bss_end - (uintptr_t)image_bss));
    initialise_monitor_handles();
    exit(main());
}

/* Any other exception, such as an access to an address without memory. */
static void fault(void)
{
    _exit(1);
}

typedef union vector {
    const void *stack;
    void (*handler)(void);
} vector;

/* At address 0: the stack's end, then the handlers of 15 exceptions. */
extern const vector image_vectors[16];
__attribute__((section(".vectors"))) const vector image_vectors[16] = {
    {image_stack}, {.handler = reset}, {.handler = fault}, {.handler = fault}, {.handler = fault}, {.handler = fault}, {.handler = fault},
};
