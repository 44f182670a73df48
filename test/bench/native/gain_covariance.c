/*
 * P_HT = (C o e e^T) H^T / (L - 1), as engine/operators/gain-covariance has it: the columns that H touches are laid out first; then a
 * row of cells at a time, sixteen elements together, the product with each touched column in reach is formed once, four columns
 * at a time, tapered, and added to the strips of the observations that use the column.
 */
#include "native.h"
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 2 * LANES, STRIP = 64, COLUMNS = 4 };

static int nx, ny, members, observations, reach_x, reach_y, table_width, touched;
static float *anomalies, *taper_row, *data, *output;
static uint32_t *indptr, *indices;
/** [reach_y + 1][table_width]: the taper by the lag -(nx - 1) ... nx - 1 along x, zeros after; and how wide each row is. */
static float *tapers;
static int *widths;
/** Touched columns before each element, their places along x, their entries of H, and their anomalies over L - 1. */
static int *touched_before, *column_x, *entries_before;
static struct {
  int observation;
  float h;
} *entries;
static float *columns;

static void lay_out_tapers(int row) {
  float *target = tapers + (size_t)row * table_width;
  widths[row] = -1;
  for (int lag = 0; lag < nx; lag++) {
    const float taper = taper_row[(size_t)row * nx + lag];
    target[nx - 1 + lag] = target[nx - 1 - lag] = taper;
    if (taper != 0) widths[row] = lag;
  }
}

/** Lists the entries of H by column: a counting sort. */
static void list_columns(void) {
  const int cells = nx * ny;
  memset(touched_before, 0, sizeof(int) * (size_t)(cells + 1));
  for (uint32_t entry = 0; entry < indptr[observations]; entry++) touched_before[indices[entry]]++;
  int listed = 0;
  touched = 0;
  for (int element = 0; element < cells; element++) {
    const int count = touched_before[element];
    touched_before[element] = touched;
    if (!count) continue;
    column_x[touched] = element % nx;
    entries_before[++touched] = listed;
    listed += count;
  }
  touched_before[cells] = touched;
  entries_before[0] = 0;
  for (int j = 0; j < observations; j++)
    for (uint32_t entry = indptr[j]; entry < indptr[j + 1]; entry++) {
      const int place = entries_before[touched_before[indices[entry]] + 1]++;
      entries[place].observation = j, entries[place].h = data[entry];
    }
}

static void lay_out_column(int element) {
  if (touched_before[element] == touched_before[element + 1]) return;
  float *target = columns + (size_t)touched_before[element] * members;
  for (int l = 0; l < members; l++) target[l] = anomalies[(size_t)l * nx * ny + element] * (1 / (float)(members - 1));
}

/** Adds the products with a touched column to the observations that use it. */
static inline void add_products(int column, v8 low, v8 high, const float *tapers_, float *sums) {
  const float *at = tapers_ - column_x[column];
  low *= load(at), high *= load(at + LANES);
  for (int entry = entries_before[column]; entry < entries_before[column + 1]; entry++) {
    float *sum = sums + (size_t)entries[entry].observation * STRIP;
    const v8 h = splat(entries[entry].h);
    store(sum, madd(h, low, load(sum)));
    store(sum + LANES, madd(h, high, load(sum + LANES)));
  }
}

static inline void add_columns(int first, const int count, const float *tapers_, const float *own, float *sums) {
  v8 low[COLUMNS], high[COLUMNS];
#pragma GCC unroll 4
  for (int c = 0; c < count; c++) low[c] = high[c] = splat(0);
  const int k = members;
  const float *column = columns + (size_t)first * k;
  for (int l = 0; l < k; l++) {
    const v8 a = held(load(own + (size_t)l * BLOCK)), b = held(load(own + (size_t)l * BLOCK + LANES));
#pragma GCC unroll 4
    for (int c = 0; c < count; c++) {
      const v8 e = _mm256_broadcast_ss(column + (size_t)c * k + l);
      low[c] = madd(e, a, low[c]);
      high[c] = madd(e, b, high[c]);
    }
  }
#pragma GCC unroll 4
  for (int c = 0; c < count; c++) add_products(first + c, low[c], high[c], tapers_, sums);
}

/** The strip x0 ... x0 + 63 of row y. */
static void form_strip(int y, int x0, float *sums, char *reached, float *own) {
  const int x1 = x0 + STRIP < nx ? x0 + STRIP : nx;
  const int top = y + reach_y < ny - 1 ? y + reach_y : ny - 1, bottom = y > reach_y ? y - reach_y : 0;
  memset(reached, 0, (size_t)observations);
  for (int row = bottom; row <= top; row++) {
    const int from = x0 > reach_x ? x0 - reach_x : 0, to = x1 + reach_x < nx ? x1 + reach_x : nx;
    const int last = entries_before[touched_before[row * nx + to]];
    for (int entry = entries_before[touched_before[row * nx + from]]; entry < last; entry++) {
      const int j = entries[entry].observation;
      if (!reached[j]) memset(sums + (size_t)j * STRIP, 0, sizeof(float) * STRIP);
      reached[j] = 1;
    }
  }
  for (int x = x0; x < x1; x += BLOCK) {
    for (int l = 0; l < members; l++) {
      const float *from = anomalies + (size_t)l * nx * ny + (size_t)y * nx + x;
      store(own + (size_t)l * BLOCK, load(from));
      store(own + (size_t)l * BLOCK + LANES, load(from + LANES));
    }
    for (int row = bottom; row <= top; row++) {
      const int lag = abs(y - row), width = widths[lag];
      if (width < 0) continue;
      const int from = x > width ? x - width : 0, to = x + BLOCK + width < nx ? x + BLOCK + width : nx;
      const float *tapers_ = tapers + (size_t)lag * table_width + nx - 1 + x;
      const int end = touched_before[row * nx + to];
      int column = touched_before[row * nx + from];
      for (; column + COLUMNS <= end; column += COLUMNS) add_columns(column, COLUMNS, tapers_, own, sums + x - x0);
      for (; column < end; column++) add_columns(column, 1, tapers_, own, sums + x - x0);
    }
  }
  for (int j = 0; j < observations; j++) {
    float *to = output + (size_t)j * nx * ny + (size_t)y * nx + x0;
    for (int i = 0; i < x1 - x0; i += LANES) store(to + i, reached[j] ? load(sums + (size_t)j * STRIP + i) : splat(0));
  }
}

static void run(void) {
#pragma omp parallel
  {
    static _Thread_local float *sums, *own;
    static _Thread_local char *reached;
    if (!sums) sums = zeros((size_t)observations * STRIP), own = zeros((size_t)members * BLOCK), reached = malloc((size_t)observations);
#pragma omp for schedule(static)
    for (int row = 0; row <= reach_y; row++) lay_out_tapers(row);
#pragma omp single
    list_columns();
#pragma omp for schedule(static)
    for (int element = 0; element < nx * ny; element++) lay_out_column(element);
#pragma omp for schedule(dynamic)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x += STRIP) form_strip(y, x, sums, reached, own);
  }
}

int main(int argc, char **argv) {
  open_problem(argc, argv);
  nx = whole("nx"), ny = whole("ny"), members = whole("members"), observations = whole("observations");
  reach_x = whole("reachX"), reach_y = whole("reachY");
  if (nx % BLOCK || whole("periodicX") || whole("periodicY") || whole("variables") != 1 || whole("firstObservation"))
    fail("needs one variable and rows of a multiple of 16 cells that do not repeat", argv[0]);
  size_t count, nonzeros;
  anomalies = reals("anomalies", &count), taper_row = reals("taperRow", &count), data = reals("data", &nonzeros);
  indptr = words("indptr", &count), indices = words("indices", &count);
  const size_t cells = (size_t)nx * ny, most = nonzeros < cells ? nonzeros : cells;
  if (reach_y >= ny) reach_y = ny - 1;
  table_width = 2 * nx - 1 + BLOCK;
  tapers = zeros((size_t)(reach_y + 1) * table_width);
  widths = malloc(sizeof(int) * (size_t)(reach_y + 1));
  touched_before = malloc(sizeof(int) * (cells + 1));
  column_x = malloc(sizeof(int) * most), entries_before = malloc(sizeof(int) * (most + 1));
  entries = malloc(sizeof *entries * nonzeros);
  columns = zeros(most * members);
  output = zeros((size_t)observations * cells);
  return measure(output, (size_t)observations * cells, 0, run);
}
