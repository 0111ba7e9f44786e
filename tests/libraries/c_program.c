/* A program in C that knows RocksDB's C interface and nothing of this library:
   for tests of what it gets when the library is preloaded.

     c_program DIRECTORY OPTIONS   the database, and its options as text
     c_program DIRECTORY bloom     with the filter that the C interface makes
   Writes keys into a table. */

#include <rocksdb/c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void ExitOnError(const char* error) {
  if (error == NULL) return;
  fprintf(stderr, "%s\n", error);
  exit(1);
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
  rocksdb_t* db = rocksdb_open(options, argv[1], &error);
  ExitOnError(error);
  rocksdb_writeoptions_t* write = rocksdb_writeoptions_create();
  for (int i = 0; i < 20000; ++i) {
    char key[32];
    const int length = snprintf(key, sizeof(key), "key%08d", i);
    rocksdb_put(db, write, key, (size_t)length, "value", 5, &error);
    ExitOnError(error);
  }
  rocksdb_flushoptions_t* flush = rocksdb_flushoptions_create();
  rocksdb_flush(db, flush, &error);
  ExitOnError(error);
  rocksdb_flushoptions_destroy(flush);
  rocksdb_writeoptions_destroy(write);
  rocksdb_close(db);
  rocksdb_options_destroy(options);
  rocksdb_options_destroy(base);
  return 0;
}
