/* Problems as files, and the timing of what solves them: prints what a suite of test/bench/python prints. */
#define _GNU_SOURCE
#include "native.h"
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LEAST_RUNS = 5, MOST_RUNS = 2000 };

static const char *folder;
static double budget;
static char *described;

_Noreturn void fail(const char *message, const char *about) {
  fprintf(stderr, "%s: %s\n", about, message);
  exit(1);
}

/** A file of the folder, with a 0 behind it. */
static char *read_file(const char *name, size_t *length) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) fail("cannot be opened", path);
  fseek(file, 0, SEEK_END);
  *length = (size_t)ftell(file);
  rewind(file);
  char *content = malloc(*length + 1);
  if (!content || fread(content, 1, *length, file) != *length) fail("cannot be read", path);
  content[*length] = 0;
  fclose(file);
  return content;
}

void open_problem(int argc, char **argv) {
  if (argc != 3) fail("needs a folder and a number of seconds", argv[0]);
  folder = argv[1];
  budget = atof(argv[2]);
  size_t length;
  described = read_file("problem.json", &length);
}

/** Where the value of a parameter begins. The file has no blanks, and names no key twice that is read here. */
static const char *value_of(const char *name) {
  char key[128];
  snprintf(key, sizeof key, "\"%s\":", name);
  const char *found = strstr(described, key);
  if (!found) fail("is no parameter of the problem", name);
  return found + strlen(key);
}

double number(const char *name) {
  const char *value = value_of(name);
  if (!strncmp(value, "true", 4)) return 1;
  if (!strncmp(value, "false", 5)) return 0;
  char *end;
  const double found = strtod(value, &end);
  if (end == value) fail("is no number", name);
  return found;
}

int whole(const char *name) { return (int)number(name); }

int is_text(const char *name, const char *text) {
  const char *value = value_of(name);
  const size_t length = strlen(text);
  return value[0] == '"' && !strncmp(value + 1, text, length) && value[1 + length] == '"';
}

double *list(const char *name, size_t *length) {
  const char *at = value_of(name);
  const char *end = strchr(at, ']');
  if (*at != '[' || !end) fail("is no list", name);
  double *numbers = malloc(sizeof(double) * (size_t)(end - at));
  for (*length = 0; at < end; (*length)++) {
    char *next;
    numbers[*length] = strtod(at + 1, &next);
    at = next;
  }
  return numbers;
}

/** The float64 numbers of an .npy file of version 1. */
static const double *doubles(const char *name, size_t *length) {
  char file[256];
  snprintf(file, sizeof file, "%s.npy", name);
  size_t bytes;
  char *content = read_file(file, &bytes);
  const size_t header = 10 + (size_t)((unsigned char)content[8] | (unsigned char)content[9] << 8);
  if (memcmp(content, "\x93NUMPY\1", 7) || !memmem(content, header, "<f8", 3)) fail("has no float64 numbers", file);
  *length = (bytes - header) / sizeof(double);
  double *numbers = malloc(bytes - header);
  memcpy(numbers, content + header, bytes - header);
  free(content);
  return numbers;
}

float *zeros(size_t length) {
  const size_t bytes = (sizeof(float) * (length + 64) + 63) / 64 * 64;
  float *numbers = aligned_alloc(64, bytes);
  if (!numbers) fail("there is no memory", "zeros");
  memset(numbers, 0, bytes);
  return numbers;
}

float *reals(const char *name, size_t *length) {
  const double *numbers = doubles(name, length);
  float *rounded = zeros(*length);
  for (size_t i = 0; i < *length; i++) rounded[i] = (float)numbers[i];
  return rounded;
}

uint32_t *words(const char *name, size_t *length) {
  const double *numbers = doubles(name, length);
  uint32_t *found = malloc(sizeof(uint32_t) * (*length + 1));
  for (size_t i = 0; i < *length; i++) found[i] = (uint32_t)numbers[i];
  return found;
}

void store_transposed(const v8 line[LANES], float *target, size_t apart) {
  v8 pairs[LANES], fours[LANES];
  for (int i = 0; i < LANES; i += 2) {
    pairs[i] = _mm256_unpacklo_ps(line[i], line[i + 1]);
    pairs[i + 1] = _mm256_unpackhi_ps(line[i], line[i + 1]);
  }
  for (int i = 0; i < LANES; i += 4) {
    fours[i] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0x44);
    fours[i + 1] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0xee);
    fours[i + 2] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0x44);
    fours[i + 3] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0xee);
  }
  for (int i = 0; i < 4; i++) {
    store(target + (size_t)i * apart, _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x20));
    store(target + (size_t)(i + 4) * apart, _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x31));
  }
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double timed(void (*before)(void), void (*run)(void)) {
  if (before) before();
  const double begin = seconds();
  run();
  return seconds() - begin;
}

static int by_size(const void *a, const void *b) {
  const double first = *(const double *)a, second = *(const double *)b;
  return (first > second) - (first < second);
}

/** max |a - b| / max(1, max |b|); not a number where a result is none. */
static double difference(const float *output, size_t length) {
  size_t count;
  const double *expected = doubles("expected", &count);
  if (count != length) fail("has another length than the result", "expected");
  double largest = 1, apart = 0;
  for (size_t i = 0; i < length; i++) {
    const double away = fabs(output[i] - expected[i]);
    largest = fmax(largest, fabs(expected[i]));
    if (!(away <= apart)) apart = away;
    if (isnan(apart)) break;
  }
  return apart / largest;
}

int measure(const float *output, size_t length, void (*before)(void), void (*run)(void)) {
  timed(before, run);
  const double apart = difference(output, length);
  double times[MOST_RUNS];
  // The first part warms up.
  for (double begin = seconds(); seconds() - begin < 0.2 * budget;) timed(before, run);
  int runs = 0;
  for (double begin = seconds(); runs < MOST_RUNS && (runs < LEAST_RUNS || seconds() - begin < budget);)
    times[runs++] = timed(before, run);
  qsort(times, (size_t)runs, sizeof times[0], by_size);
  const int threads = omp_get_max_threads();
  printf("{\"versions\":{\"gcc\":\"%s\"},\"rows\":[{\"form\":\"C with AVX2, %d %s\",\"note\":null,", __VERSION__, threads,
         threads == 1 ? "thread" : "threads");
  if (isnan(apart)) printf("\"difference\":null,");
  else printf("\"difference\":%.3e,", apart);
  printf("\"milliseconds\":%.6f,\"median\":%.6f,\"runs\":%d}]}\n", 1e3 * times[0], 1e3 * times[runs / 2], runs);
  return 0;
}
