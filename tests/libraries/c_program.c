/* A program in C that knows RocksDB's C interface and nothing of this library:
   for tests of what it gets when the library is preloaded.

     c_program DIRECTORY OPTIONS   the database, and its options as text
     c_program DIRECTORY bloom     with the filter that the C interface makes

   Writes keys, looks all of them up and as many absent ones, and prints what it
   found and RocksDB's statistics. */

#include <rocksdb/c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kKeys = 20000 };

static void ExitOnError(const char* error) {
  if (error == NULL) return;
  fprintf(stderr, "%s\n", error);
  exit(1);
}

/* Odd numbers are never written. */
static size_t MakeKey(int number, char* key, size_t size) {
  return (size_t)snprintf(key, size, "key%08d", number);
}

static void WriteKeys(rocksdb_t* db) {
  rocksdb_writeoptions_t* options = rocksdb_writeoptions_create();
  rocksdb_flushoptions_t* flush = rocksdb_flushoptions_create();
  char* error = NULL;
  for (int i = 0; i < kKeys; ++i) {
    char key[32];
    const size_t length = MakeKey(2 * i, key, sizeof(key));
    rocksdb_put(db, options, key, length, "value", 5, &error);
    ExitOnError(error);
  }
  rocksdb_flush(db, flush, &error);
  ExitOnError(error);
  rocksdb_flushoptions_destroy(flush);
  rocksdb_writeoptions_destroy(options);
}

/* How many of the keys first, first + 2, ... there are. */
static int CountKeys(rocksdb_t* db, int first) {
  rocksdb_readoptions_t* options = rocksdb_readoptions_create();
  char* error = NULL;
  int found = 0;
  for (int i = 0; i < kKeys; ++i) {
    char key[32];
    size_t value_length;
    const size_t length = MakeKey(first + 2 * i, key, sizeof(key));
    char* value = rocksdb_get(db, options, key, length, &value_length, &error);
    ExitOnError(error);
    if (value != NULL) ++found;
    free(value);
  }
  rocksdb_readoptions_destroy(options);
  return found;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  char* error = NULL;
  rocksdb_options_t* base = rocksdb_options_create();
  rocksdb_options_t* options = rocksdb_options_create();
  if (strcmp(argv[2], "bloom") == 0) {
    rocksdb_block_based_table_options_t* table =
        rocksdb_block_based_options_create();
    rocksdb_block_based_options_set_filter_policy(
        table, rocksdb_filterpolicy_create_bloom_full(10));
    rocksdb_options_set_block_based_table_factory(options, table);
    rocksdb_block_based_options_destroy(table);
  } else {
    rocksdb_get_options_from_string(base, argv[2], options, &error);
    ExitOnError(error);
  }
  rocksdb_options_set_create_if_missing(options, 1);
  rocksdb_options_enable_statistics(options);
  rocksdb_t* db = rocksdb_open(options, argv[1], &error);
  ExitOnError(error);

  WriteKeys(db);
  const int present = CountKeys(db, 0);
  const int absent = CountKeys(db, 1);
  char* statistics = rocksdb_options_statistics_get_string(options);
  printf("present %d\nabsent %d\n%s", present, absent, statistics);
  free(statistics);

  rocksdb_close(db);
  rocksdb_options_destroy(options);
  rocksdb_options_destroy(base);
  return 0;
}
