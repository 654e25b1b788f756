/* The functions of <string.h> that generated C calls, for a target without a C library here: compilers can then be tried. */
#ifndef STRING_H
#define STRING_H
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
int memcmp(const void *one, const void *other, size_t size);
void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
int strcmp(const char *one, const char *other);
void *memset(void *at, int octet, size_t size);
#ifdef __cplusplus
}
#endif

#endif
