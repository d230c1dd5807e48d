/* The limit to measure the door against: the same statements with the same values, in C, and nothing else.
 *
 * raw_sqlite DATABASE TRACE CACHE_KIB MMAP_BYTES
 *
 * Reads the whole trace (see trace.py for its form), prepares each text once, then executes everything in order and
 * fetches every column of every row. Prints: operations, seconds, CPU seconds, milliseconds spent in COMMIT.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "sqlite3.h"

static sqlite3 *database;

static void check(int code, int wanted, const char *what) {
  if (code == wanted) return;
  fprintf(stderr, "%s: %s\n", what, sqlite3_errmsg(database));
  exit(1);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

static double cpu_seconds(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return used.ru_utime.tv_sec + used.ru_stime.tv_sec + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6;
}

static unsigned char *read_whole(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) { perror(path); exit(1); }
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(size);
  if (fread(bytes, 1, size, file) != (size_t)size) { perror(path); exit(1); }
  fclose(file);
  return bytes;
}

static uint32_t take_u32(unsigned char **at) {
  uint32_t number;
  memcpy(&number, *at, 4);
  *at += 4;
  return number;
}

static void set(const char *format, const char *value) {
  char text[200];
  snprintf(text, sizeof text, format, value);
  check(sqlite3_exec(database, text, 0, 0, 0), SQLITE_OK, text);
}

static void open_database(const char *path, const char *cache_kib, const char *mmap_bytes) {
  check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, 0), SQLITE_OK, "open");
  set("PRAGMA journal_mode = %s", "wal");
  set("PRAGMA synchronous = %s", "full");
  set("PRAGMA foreign_keys = %s", "on");
  set("PRAGMA cache_size = -%s", cache_kib);
  set("PRAGMA mmap_size = %s", mmap_bytes);
  set("PRAGMA temp_store = %s", "memory");
  check(sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_QPSG, 1, NULL), SQLITE_OK, "qpsg");
}

static void bind(sqlite3_stmt *statement, uint32_t count, unsigned char **at) {
  for (uint32_t place = 1; place <= count; place++) {
    char kind = (char)*(*at)++;
    int code = SQLITE_OK;
    if (kind == 'n') {
      code = sqlite3_bind_null(statement, place);
    } else if (kind == 'i') {
      int64_t number;
      memcpy(&number, *at, 8);
      *at += 8;
      code = sqlite3_bind_int64(statement, place, number);
    } else {
      uint32_t length = take_u32(at);
      code = sqlite3_bind_text(statement, place, (const char *)*at, (int)length, SQLITE_STATIC);
      *at += length;
    }
    check(code, SQLITE_OK, "bind");
  }
}

static void fetch(sqlite3_stmt *statement) {
  int code;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    for (int column = 0; column < sqlite3_column_count(statement); column++) {
      if (sqlite3_column_type(statement, column) == SQLITE_INTEGER) (void)sqlite3_column_int64(statement, column);
      else (void)sqlite3_column_text(statement, column);
    }
  }
  check(code, SQLITE_DONE, sqlite3_sql(statement));
  sqlite3_reset(statement);
}

int main(int count, char **argument) {
  if (count != 5) { fprintf(stderr, "raw_sqlite DATABASE TRACE CACHE_KIB MMAP_BYTES\n"); return 2; }
  open_database(argument[1], argument[3], argument[4]);
  unsigned char *at = read_whole(argument[2]);
  uint32_t texts = take_u32(&at), operations = take_u32(&at), executions = take_u32(&at);
  sqlite3_stmt **statements = calloc(texts, sizeof *statements);
  for (uint32_t each = 0; each < texts; each++) {
    uint32_t length = take_u32(&at);
    check(sqlite3_prepare_v3(database, (char *)at, (int)length, SQLITE_PREPARE_PERSISTENT, &statements[each], 0),
          SQLITE_OK, "prepare");
    at += length;
  }
  double begun = seconds(), cpu = cpu_seconds(), committing = 0;
  for (uint32_t each = 0; each < executions; each++) {
    uint32_t text = take_u32(&at), values = take_u32(&at);
    if (text == 1) committing -= seconds();
    bind(statements[text], values, &at);
    fetch(statements[text]);
    if (text == 1) committing += seconds();
  }
  printf("%u %f %f %f %s\n", operations, seconds() - begun, cpu_seconds() - cpu, committing * 1e3,
         sqlite3_libversion());
  return 0;
}
