/*
 * The separable periodic convolution of a volume, as engine/operators/convolution has it: tiles of a plane along rows and across
 * them while they are in cache, and the sums across planes from a ring of planes that were filtered so.
 */
#include "native.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/** Rows that are filtered along together; bytes of planes that a core has at hand, about. */
enum { ROWS = 4, CACHE_BYTES = 1 << 20 };

static int n1, n2, n3, width, lower, tile_rows;
static size_t stride;
static float *input, *output, *taps;

/** An index up to an axis beyond either end. */
static inline int wrapped(int i, int n) { return i < 0 ? i + n : i < n ? i : i - n; }

/** A row with the points that its taps reach beyond its ends. */
static void extend_row(const float *row, float *target) {
  for (int q = 0; q < lower; q++) target[q] = row[wrapped(q - lower, n3)];
  memcpy(target + lower, row, sizeof(float) * (size_t)n3);
  for (int q = 0; q < width - 1 - lower; q++) target[lower + n3 + q] = row[wrapped(q, n3)];
}

/** Four rows that were extended, `apart` numbers from each other, filtered along into rows of `stride`. */
static void along_four_rows(const float *source, size_t apart, float *target) {
  size_t at = 0;
  for (; at + 2 * LANES <= stride; at += 2 * LANES) {
    v8 sums[ROWS][2];
#pragma GCC unroll 4
    for (int r = 0; r < ROWS; r++) sums[r][0] = sums[r][1] = splat(0);
    for (int q = 0; q < width; q++) {
      const v8 tap = _mm256_broadcast_ss(taps + q);
#pragma GCC unroll 4
      for (int r = 0; r < ROWS; r++) {
        const float *row = source + at + (size_t)q + (size_t)r * apart;
        sums[r][0] = madd(tap, load(row), sums[r][0]);
        sums[r][1] = madd(tap, load(row + LANES), sums[r][1]);
      }
    }
#pragma GCC unroll 4
    for (int r = 0; r < ROWS; r++) {
      store(target + at + (size_t)r * stride, sums[r][0]);
      store(target + at + (size_t)r * stride + LANES, sums[r][1]);
    }
  }
  for (; at < stride; at += LANES) {
    v8 sums[ROWS];
#pragma GCC unroll 4
    for (int r = 0; r < ROWS; r++) sums[r] = splat(0);
    for (int q = 0; q < width; q++)
#pragma GCC unroll 4
      for (int r = 0; r < ROWS; r++)
        sums[r] = madd(_mm256_broadcast_ss(taps + q), load(source + at + (size_t)q + (size_t)r * apart), sums[r]);
#pragma GCC unroll 4
    for (int r = 0; r < ROWS; r++) store(target + at + (size_t)r * stride, sums[r]);
  }
}

/** The sums over rows 0 ... width - 1 and 1 ... width at 8 `vectors` points: a vector that is read serves both. */
static inline void two_sums(const float *const *rows, size_t at, float *first, float *second, const int vectors) {
  v8 a[4], b[4];
  v8 tap = _mm256_broadcast_ss(taps);
#pragma GCC unroll 4
  for (int v = 0; v < vectors; v++) {
    a[v] = tap * load(rows[0] + at + LANES * v);
    b[v] = splat(0);
  }
  for (int q = 1; q < width; q++) {
    const v8 next = _mm256_broadcast_ss(taps + q);
    const float *row = rows[q] + at;
#pragma GCC unroll 4
    for (int v = 0; v < vectors; v++) {
      const v8 x = held(load(row + LANES * v));
      b[v] = madd(tap, x, b[v]);
      a[v] = madd(next, x, a[v]);
    }
    tap = next;
  }
#pragma GCC unroll 4
  for (int v = 0; v < vectors; v++) {
    store(first + at + LANES * v, a[v]);
    store(second + at + LANES * v, madd(tap, load(rows[width] + at + LANES * v), b[v]));
  }
}

static void one_sum(const float *const *rows, float *target, int count, int from) {
  for (int i = from; i < count; i += LANES) {
    v8 sum = splat(0);
    for (int q = 0; q < width; q++) sum = madd(_mm256_broadcast_ss(taps + q), load(rows[q] + i), sum);
    store_first(target + i, sum, count - i);
  }
}

static void sum_rows_twice(const float *const *rows, float *first, float *second, int count) {
  int i = 0;
  for (; i + 4 * LANES <= count; i += 4 * LANES) two_sums(rows, (size_t)i, first, second, 4);
  for (; i + LANES <= count; i += LANES) two_sums(rows, (size_t)i, first, second, 1);
  if (i == count) return;
  one_sum(rows, first, count, i);
  one_sum(rows + 1, second, count, i);
}

/** Rows first ... first + count - 1 of a plane filtered along and across, into rows of n3 points. */
static void filter_plane(const float *plane, int first, int count, float *target, float *work, const float **rows) {
  const size_t apart = stride + (size_t)width + LANES;
  float *filtered = work + ROWS * apart;
  const int total = count + width - 1;
  for (int r = 0; r < total; r += ROWS) {
    for (int k = 0; k < ROWS; k++)
      extend_row(plane + (size_t)wrapped(first - lower + r + k, n2) * n3, work + (size_t)k * apart);
    along_four_rows(work, apart, filtered + (size_t)r * stride);
  }
  for (int r = 0; r <= total; r++) rows[r] = filtered + (size_t)(r < total ? r : total - 1) * stride;
  int r = 0;
  for (; r + 2 <= count; r += 2)
    sum_rows_twice(rows + r, target + (size_t)r * n3, target + (size_t)(r + 1) * n3, n3);
  if (r < count) one_sum(rows + r, target + (size_t)r * n3, n3, 0);
}

/** A tile of rows of all planes. The first width - 1 planes are kept, for they are also the last; the others, if many, go round. */
static void filter_columns(int first, float *planes, float *work, const float **across, const float **rows) {
  const int count = first + tile_rows < n2 ? tile_rows : n2 - first, points = count * n3;
  const int kept = width - 1 < n1 ? width - 1 : n1, ring = width + 1;
  const size_t tile = (size_t)points + 2 * LANES, plane = (size_t)n2 * n3, at = (size_t)first * n3;
  for (int r = 0; r < n1 + width; r++) {
    const int slot = r < kept ? r : r < n1 ? kept + (r - kept) % ring : (r - n1) % kept;
    across[r] = planes + (size_t)slot * tile;
  }
  int made = 0;
  for (int i = 0; i < n1; i += 2) {
    const int needed = i + width + 1 < n1 ? i + width + 1 : n1;
    for (; made < needed; made++)
      filter_plane(input + (size_t)wrapped(made - lower, n1) * plane, first, count, (float *)across[made], work, rows);
    float *to = output + at + (size_t)i * plane;
    if (i + 2 <= n1) sum_rows_twice(across + i, to, to + plane, points);
    else one_sum(across + i, to, points, 0);
  }
}

static void run(void) {
#pragma omp parallel
  {
    static _Thread_local float *planes, *work;
    static _Thread_local const float **across, **rows;
    if (!planes) {
      planes = zeros(2 * (size_t)width * ((size_t)tile_rows * n3 + 2 * LANES));
      work = zeros(ROWS * (stride + (size_t)width + LANES) + (size_t)(tile_rows + width + ROWS) * stride);
      across = malloc(sizeof(float *) * (size_t)(n1 + width));
      rows = malloc(sizeof(float *) * (size_t)(tile_rows + width));
    }
#pragma omp for schedule(dynamic)
    for (int first = 0; first < n2; first += tile_rows) filter_columns(first, planes, work, across, rows);
  }
}

int main(int argc, char **argv) {
  open_problem(argc, argv);
  n1 = whole("n1"), n2 = whole("n2"), n3 = whole("n3"), lower = whole("lower");
  size_t count, length;
  const double *weights = list("taps", &count);
  width = (int)count;
  if (n1 < width || n2 < width + ROWS || n3 < width) fail("needs axes as long as the taps", argv[0]);
  taps = zeros(count);
  for (size_t q = 0; q < count; q++) taps[q] = (float)weights[q];
  stride = ((size_t)n3 + LANES - 1) / LANES * LANES;
  input = reals("input", &length);
  output = zeros(length);
  int tiles = omp_get_max_threads();
  while (tiles < n2 && sizeof(float) * (size_t)(2 * width + 2) * (size_t)((n2 + tiles - 1) / tiles) * (size_t)n3 > CACHE_BYTES) tiles++;
  tile_rows = (n2 + tiles - 1) / tiles;
  return measure(output, length, 0, run);
}
