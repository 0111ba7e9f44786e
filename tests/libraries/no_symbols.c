/* A shared library that, when preloaded, lets no function be found by its name:
   for tests of libraries to preload in programs without RocksDB's or LevelDB's
   own functions. */

#include <stddef.h>

void* dlsym(void* library, const char* name);

void* dlsym(void* library, const char* name) {
  (void)library;
  (void)name;
  return NULL;
}
