/*
 * The K-iterated recursive filter with free ends, as engine/operators/recursive-filter has it: literal sweeps on lines side by
 * side, all iterations in one visit, or, where `form` is not "sweeps" and the kernel is short, the composite FIR of all iterations
 * with rows of its own near both ends. What is prepared once (taps and rows) is not timed.
 */
#include "native.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Lines that are swept together: eight vectors, whose chains of dependent operations hide each other. */
enum { VECTORS = 8, TOGETHER = VECTORS * LANES };
/** Points of a segment of a line, for threads. */
enum { SEGMENT = 4096, TILE = 256 };

static int nx, ny, iterations;
static double sigma, alpha, beta, end_factor;
static float *input, *between, *output;

/* The composite FIR. */

static int taps_count, width, left;
/** Rows by their order: those at the start, the common one, those at the end; each padded with zeros to `row_stride`. */
static float *rows;
static size_t row_stride;

/** (1 + s^2 (1 - cos w)/K)^-K summed over frequencies of a circle that the kernel does not fill: w_0 ... w_r. */
static double *composite_taps(int reach) {
  const int points = 16 * reach, half = points / 2;
  double *taps = calloc((size_t)reach + 1, sizeof(double));
  for (int n = 0; n <= reach; n++)
    for (int m = half; m >= 0; m--) {
      const double omega = 2 * M_PI * m / points, sine = sin(omega / 2);
      const double symbol = exp(-iterations * log1p(2 * sigma * sigma * sine * sine / iterations));
      taps[n] += (m > 0 && m < half ? 2 : 1) * symbol * cos(omega * n) / points;
    }
  return taps;
}

/** The adjoint of all sweeps on a line of `length` points in float64, whose result for a unit impulse at i is row i. */
static void sweep_adjoint(double *s, int length) {
  for (int k = iterations; k >= 1; k--) {
    for (int j = 1; j < length; j++) s[j] += alpha * s[j - 1];
    for (int j = 0; j < length - 1; j++) s[j] *= beta;
    s[length - 1] *= end_factor;
    for (int j = length - 2; j >= 0; j--) s[j] += alpha * s[j + 1];
    for (int j = 1; j < length; j++) s[j] *= beta;
    s[0] *= k == 1 ? beta : end_factor;
  }
}

static void prepare_fir(void) {
  // The share of the kernel beyond its last tap is below 1e-9.
  int reach = (int)ceil(10 * sigma) + 8;
  double *taps = composite_taps(reach), tail = 0;
  while (reach > 0 && tail + 2 * taps[reach] < 1e-9) tail += 2 * taps[reach--];
  taps_count = reach + 1, width = 2 * reach + 1, left = taps_count;
  row_stride = ((size_t)width + LANES - 1) / LANES * LANES;
  rows = zeros((2 * (size_t)left + 1) * row_stride);
  for (int q = 0; q < width; q++) rows[left * row_stride + q] = (float)taps[abs(q - reach)];
  const int segment = 2 * taps_count + 1 < nx ? 2 * taps_count + 1 : nx;
  double *row = malloc(sizeof(double) * (size_t)segment);
  for (int end = 0; end < 2 * left; end++) {
    // Rows at the end are seen from there.
    const int i = end < left ? end : segment - 2 * left + end;
    memset(row, 0, sizeof(double) * (size_t)segment);
    row[i] = 1;
    sweep_adjoint(row, segment);
    float *target = rows + (size_t)(end < left ? end : end + 1) * row_stride;
    for (int q = 0; q < width; q++) {
      const int j = i - reach + q;
      target[q] = j < 0 || j >= segment ? 0 : (float)row[j];
    }
  }
}

/** Sixty-four points with the same weights, the first of whose neighbours is at `source`. */
static inline void common_points(const float *weights, const float *source, float *target) {
  v8 sums[VECTORS];
#pragma GCC unroll 8
  for (int v = 0; v < VECTORS; v++) sums[v] = splat(0);
  for (int q = 0; q < width; q++) {
    const v8 weight = _mm256_broadcast_ss(weights + q);
#pragma GCC unroll 8
    for (int v = 0; v < VECTORS; v++) sums[v] = madd(weight, load(source + q + LANES * v), sums[v]);
  }
#pragma GCC unroll 8
  for (int v = 0; v < VECTORS; v++) store(target + LANES * v, sums[v]);
}

static void common_rest(const float *weights, const float *source, float *target, int count) {
  for (int i = 0; i < count; i += LANES) {
    v8 sum = splat(0);
    for (int q = 0; q < width; q++) sum = madd(_mm256_broadcast_ss(weights + q), load(source + i + q), sum);
    store_first(target + i, sum, count - i);
  }
}

static float dot(const float *weights, const float *values) {
  v8 sum = splat(0);
  for (size_t q = 0; q < row_stride; q += LANES) sum = madd(load(weights + q), load(values + q), sum);
  return sum_of(sum);
}

/** The points first ... end - 1 of the line; `work` gets them with their neighbours, zeros outside. */
static void fir_segment(int first, int end, float *work) {
  const int lower = taps_count - 1, begin = first - lower;
  const int from = begin < 0 ? -begin : 0, total = end - first + 2 * lower + LANES + TOGETHER;
  const int to = nx - begin < total ? nx - begin : total;
  memset(work, 0, sizeof(float) * (size_t)from);
  memcpy(work + from, input + begin + from, sizeof(float) * (size_t)(to - from));
  memset(work + to, 0, sizeof(float) * (size_t)(total - to));
  int i = first;
  for (; i < left && i < end; i++) output[i] = dot(rows + (size_t)i * row_stride, work + i - first);
  const int common_end = end < nx - left ? end : nx - left;
  const float *weights = rows + (size_t)left * row_stride;
  for (; i + TOGETHER <= common_end; i += TOGETHER) common_points(weights, work + i - first, output + i);
  if (i < common_end) common_rest(weights, work + i - first, output + i, common_end - i);
  for (i = common_end > first ? common_end : first; i < end; i++)
    if (i >= nx - left) output[i] = dot(rows + (size_t)(2 * left + 1 - (nx - i)) * row_stride, work + i - first);
}

static void run_fir(void) {
#pragma omp parallel
  {
    static _Thread_local float *work;
    if (!work) work = zeros(SEGMENT + 2 * (size_t)width + TOGETHER + 4 * LANES);
#pragma omp for schedule(dynamic)
    for (int first = 0; first < nx; first += SEGMENT)
      fir_segment(first, first + SEGMENT < nx ? first + SEGMENT : nx, work);
  }
}

/* The literal sweeps. */

static inline void scale_point(float *at, float factor) {
  for (int v = 0; v < VECTORS; v++) store(at + LANES * v, splat(factor) * load(at + LANES * v));
}

/** v = s + a (v - s) from the point at `at` on, `count` points more, each `stride` further. */
static inline void sweep(float *at, int count, ptrdiff_t stride) {
  const v8 a = splat((float)alpha);
  v8 values[VECTORS];
#pragma GCC unroll 8
  for (int v = 0; v < VECTORS; v++) values[v] = load(at + LANES * v);
  for (int j = 0; j < count; j++) {
    at += stride;
#pragma GCC unroll 8
    for (int v = 0; v < VECTORS; v++) {
      const v8 s = load(at + LANES * v);
      values[v] = madd(a, values[v] - s, s);
      store(at + LANES * v, values[v]);
    }
  }
}

static void filter(float *lines, int points) {
  float *last = lines + (size_t)(points - 1) * TOGETHER;
  for (int k = 1; k <= iterations; k++) {
    scale_point(lines, (float)(k == 1 ? beta : end_factor));
    sweep(lines, points - 1, TOGETHER);
    scale_point(last, (float)end_factor);
    sweep(last, points - 1, -TOGETHER);
  }
}

/** Lines, or tiles of a single line, whose points are contiguous: how they are cut (variants.ts). */
static int tile, halo, tiles, swept;

static int swept_from(int index) {
  const int from = index * tile - halo, last = nx - swept;
  return from < 0 ? 0 : from < last ? from : last;
}

static const float *source_of(int index) {
  const int known = index < ny * tiles ? index : ny * tiles - 1;
  return input + (size_t)(known / tiles) * nx + swept_from(known % tiles);
}

static void load_along(int first, float *lines) {
  for (int group = 0; group < TOGETHER; group += LANES) {
    const float *sources[LANES];
    for (int lane = 0; lane < LANES; lane++) sources[lane] = source_of(first + group + lane);
    int i = 0;
    for (; i + LANES <= swept; i += LANES) {
      v8 points[LANES];
      for (int lane = 0; lane < LANES; lane++) points[lane] = load(sources[lane] + i);
      store_transposed(points, lines + (size_t)i * TOGETHER + group, TOGETHER);
    }
    for (; i < swept; i++)
      for (int lane = 0; lane < LANES; lane++) lines[(size_t)i * TOGETHER + group + lane] = sources[lane][i];
  }
}

static void store_eight(int first, const float *column, float *to) {
  int i = 0;
  for (; i + LANES <= nx; i += LANES) {
    v8 lines[LANES];
    for (int point = 0; point < LANES; point++) lines[point] = load(column + (size_t)(i + point) * TOGETHER);
    store_transposed(lines, to + (size_t)first * nx + i, (size_t)nx);
  }
  for (; i < nx; i++)
    for (int lane = 0; lane < LANES; lane++) to[(size_t)(first + lane) * nx + i] = column[(size_t)i * TOGETHER + lane];
}

static void store_along(int first, const float *lines, float *to) {
  const int all = ny * tiles - first, count = all < TOGETHER ? all : TOGETHER;
  for (int lane = 0; lane < count; lane++) {
    if (tiles == 1 && lane % LANES == 0 && lane + LANES <= count) {
      store_eight(first + lane, lines + lane, to);
      lane += LANES - 1;
      continue;
    }
    const int index = first + lane, begin = index % tiles * tile, end = begin + tile < nx ? begin + tile : nx;
    const float *column = lines + lane + (size_t)(begin - swept_from(index % tiles)) * TOGETHER;
    float *line = to + (size_t)(index / tiles) * nx;
    for (int i = begin; i < end; i++, column += TOGETHER) line[i] = *column;
  }
}

/** The columns x ... x + 63 of the plane that was swept along rows. */
static void sweep_columns(int x, float *lines) {
  const int count = nx - x < TOGETHER ? nx - x : TOGETHER;
  for (int j = 0; j < ny; j++) memcpy(lines + (size_t)j * TOGETHER, between + (size_t)j * nx + x, sizeof(float) * (size_t)count);
  filter(lines, ny);
  for (int j = 0; j < ny; j++) memcpy(output + (size_t)j * nx + x, lines + (size_t)j * TOGETHER, sizeof(float) * (size_t)count);
}

static void run_sweeps(void) {
  float *along = ny == 1 ? output : between;
#pragma omp parallel
  {
    static _Thread_local float *lines;
    if (!lines) lines = zeros((size_t)(swept > ny ? swept : ny) * TOGETHER);
#pragma omp for schedule(dynamic)
    for (int first = 0; first < ny * tiles; first += TOGETHER) {
      load_along(first, lines);
      filter(lines, swept);
      store_along(first, lines, along);
    }
    if (ny > 1) {
#pragma omp for schedule(dynamic)
      for (int x = 0; x < nx; x += TOGETHER) sweep_columns(x, lines);
    }
  }
}

int main(int argc, char **argv) {
  open_problem(argc, argv);
  nx = whole("nx"), ny = whole("ny"), iterations = whole("iterations"), sigma = number("sigmaX");
  if (whole("batch") != 1 || whole("transpose") || (ny > 1 && number("sigmaY") != sigma) || !is_text("boundaryX", "free"))
    fail("needs one field with free ends and one sigma", argv[0]);
  const double e = iterations / (sigma * sigma), spread = sqrt(e * (e + 2));
  alpha = 1 / (1 + e + spread), beta = 2 * e / (e + spread), end_factor = 1 / (1 + alpha);
  size_t length;
  input = reals("input", &length);
  between = zeros(length), output = zeros(length);
  const int is_fir = ny == 1 && !is_text("form", "sweeps");
  if (is_fir) {
    prepare_fir();
    return measure(output, length, 0, run_fir);
  }
  // Few lines are cut into tiles, with halos beyond which the ends are no longer felt.
  halo = (int)ceil(9 * sigma) + 8;
  tile = ny == 1 ? (8 * halo > TILE ? 8 * halo : TILE) : nx;
  if (ny > 1 || nx < 2 * tile) tile = nx, halo = 0;
  tiles = (nx + tile - 1) / tile;
  swept = tile + 2 * halo < nx ? tile + 2 * halo : nx;
  return measure(output, length, 0, run_sweeps);
}
