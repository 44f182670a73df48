/*
 * The LETKF analysis in the space of the observations in reach, as engine/operators/letkf has it: eight neighbouring grid points
 * of a row at a time, one a lane; Householder reduction of G to tridiagonal form, and the root by the same poles [hht2008].
 */
#include "native.h"
#include <math.h>
#include <string.h>

enum { MOST_LOCAL = 64, MOST_MEMBERS = 128, MOST_VARIABLES = 3, MOST_POLES = 16, CLASSES = 10 };

typedef struct {
  float shift, weight, weight_of_f;
} Pole;

static int nx, ny, variables, members, observations, bins_x, bins_y, capacity;
static float root_inflation, mean_scale, half_width, reach;
static float *ensemble, *analysis, *observed, *values, *inverse_error, *position_x, *position_y;
static uint32_t *bin_start, *bin_observations;
/** By slot of the bins: anomalies in units of the error, padded with zeros to `padded`, and x, y and the innovation. */
static float *anomalies, *slots;
static int padded;
static Pole poles[CLASSES][MOST_POLES];
static int pole_count[CLASSES];
static int is_crowded;

/* Poles for conditions up to 4, 16, ..., by descending Landen transformations (inverse-root-poles.ts). Prepared once. */

static double mean_of_means(double a, double b) {
  while (fabs(a - b) > 1e-15 * a) {
    const double next = (a + b) / 2;
    b = sqrt(a * b);
    a = next;
  }
  return a;
}

static void jacobi(double u, double complement, double *cn, double *dn) {
  double means[32][2], a = 1, b = complement, c = 1;
  int count = 0;
  do {
    b = sqrt(b);
    means[count][0] = a, means[count++][1] = b;
    c = (a + b) / 2;
    if (fabs(a - b) <= 1e-8 * a) break;
    b *= a;
    a = c;
  } while (count < 32);
  const double angle = u * c;
  double ratio = cos(angle) / sin(angle);
  *dn = 1;
  c *= ratio;
  while (count-- > 0) {
    ratio *= c;
    c *= *dn;
    *dn = (means[count][1] + ratio) / (means[count][0] + ratio);
    ratio = c / means[count][0];
  }
  *cn = c / sqrt(c * c + 1);
}

static double fill_poles(double bound, int count, Pole *into) {
  const double quarter = M_PI / (2 * mean_of_means(1, sqrt(1 / bound)));
  double shifts[MOST_POLES], weights[MOST_POLES];
  for (int m = 0; m < count; m++) {
    double cn, dn;
    jacobi((m + 0.5) * quarter / count, 1 / bound, &cn, &dn);
    shifts[m] = 1 / (cn * cn), weights[m] = 2 * quarter * dn / (M_PI * count * cn * cn);
    into[m] = (Pole){(float)shifts[m], (float)weights[m], (float)(weights[m] / shifts[m])};
  }
  double largest = 0;
  for (int i = 0; i <= 64 * count; i++) {
    const double a = pow(bound, i / (64.0 * count));
    double sum = 0;
    for (int m = 0; m < count; m++) sum += weights[m] / (a - 1 + shifts[m]);
    largest = fmax(largest, fabs(sum * sqrt(a) - 1));
  }
  return largest;
}

static void prepare_poles(void) {
  for (int c = 0; c < CLASSES; c++) {
    pole_count[c] = 2;
    while (fill_poles(pow(4, c + 1), pole_count[c], poles[c]) > 1e-7) pole_count[c]++;
  }
}

/* Observations in units of their error, in the order of the bins. */

static void standardise(int slot) {
  const size_t o = bin_observations[slot];
  const float scale = inverse_error[o], first = observed[o];
  float sum = 0;
  for (int l = 1; l < members; l++) sum += observed[(size_t)l * observations + o] - first;
  const float mean = sum / (float)members;
  float *row = anomalies + (size_t)slot * padded;
  for (int l = 0; l < members; l++)
    row[l] = scale * mean_scale * (observed[(size_t)l * observations + o] - first - mean);
  float *known = slots + 4 * (size_t)slot;
  known[0] = position_x[o], known[1] = position_y[o], known[2] = scale * (values[o] - first - mean);
}

static inline v8 gaspari_cohn(v8 z) {
  const v8 cubic = splat(0.625f) + z * (splat(0.5f) - splat(0.25f) * z);
  const v8 inner = splat(1) - z * z * (splat(5.0f / 3) - z * cubic);
  const v8 to_edge = splat(2) - z, square = to_edge * to_edge;
  const v8 outer = square * square * (z * (z + splat(2)) - splat(0.5f)) / (splat(12) * z);
  return both(select8(at_most(z, splat(1)), inner, outer), above(splat(2), z));
}

/** The work space of a thread: arrays of vectors, one grid point a lane. */
typedef struct {
  v8 matrix[MOST_LOCAL][MOST_LOCAL];
  v8 diagonal[MOST_LOCAL], edge[MOST_LOCAL], beta[MOST_LOCAL], work[MOST_LOCAL];
  v8 inverse[MOST_LOCAL], ratio[MOST_LOCAL], forward[MOST_LOCAL];
  v8 mean_weights[MOST_LOCAL], side[MOST_LOCAL], roots[MOST_LOCAL];
  v8 vectors[MOST_VARIABLES][MOST_LOCAL], results[MOST_VARIABLES][MOST_LOCAL];
  v8 x[MOST_VARIABLES][MOST_MEMBERS], origin[MOST_VARIABLES], mean[MOST_VARIABLES];
  const float *rows[MOST_LOCAL];
  float innovation[MOST_LOCAL];
} Work;

/** Bins along an axis, as binGeometry of engine/operators/localisation has them. */
static int bins_along(int size) {
  const int bins = (int)((float)size / (half_width > 1 ? half_width : 1));
  return bins < 1 ? 1 : bins < 512 ? bins : 512;
}

static int bin_of(float coordinate, int bins, int size) {
  const int bin = (int)floorf(coordinate * (float)bins / (float)size);
  return bin < 0 ? 0 : bin < bins ? bin : bins - 1;
}

/** Lists the observations in reach of any of eight grid points. */
static int find_local(Work *w, int x, int y) {
  const v8 xs = splat((float)x) + (v8){0, 1, 2, 3, 4, 5, 6, 7};
  const int first = bin_of((float)x - reach, bins_x, nx), last = bin_of((float)(x + LANES - 1) + reach, bins_x, nx);
  const int top = bin_of((float)y + reach, bins_y, ny);
  int count = 0;
  v8 in_reach = splat(0);
  for (int row = bin_of((float)y - reach, bins_y, ny); row <= top; row++)
    for (int column = first; column <= last; column++) {
      const uint32_t *bin = bin_start + (size_t)row * bins_x + column;
      for (uint32_t slot = bin[0]; slot < bin[1]; slot++) {
        const float *known = slots + 4 * (size_t)slot;
        const v8 dx = splat(known[0]) - xs, dy = splat(known[1] - (float)y);
        const v8 weight = gaspari_cohn(root(dx * dx + dy * dy) * splat(1 / half_width));
        const v8 positive = above(weight, splat(0));
        if (!bits(positive)) continue;
        if (count == MOST_LOCAL) fail("more observations are in reach than there is room for", "letkf");
        in_reach += both(positive, splat(1));
        w->rows[count] = anomalies + (size_t)slot * padded;
        w->innovation[count] = known[2];
        w->roots[count++] = root(larger(weight, splat(0)));
      }
    }
  if (bits(above(in_reach, splat((float)capacity)))) is_crowded = 1;
  return count;
}

/** G of the listed observations; returns its trace. */
static v8 gram(Work *w, int n) {
  v8 trace = splat(0);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      v8 eight = splat(0);
      for (int l = 0; l < padded; l += LANES) eight = madd(load(w->rows[i] + l), load(w->rows[j] + l), eight);
      w->matrix[i][j] = w->roots[i] * w->roots[j] * splat(sum_of(eight));
      if (i == j) trace += w->matrix[i][i];
    }
  return trace;
}

static void tridiagonalise(Work *w, int n) {
  v8(*a)[MOST_LOCAL] = w->matrix;
  for (int s = 0; s + 2 < n; s++) {
    const int head = s + 1;
    const v8 alpha = a[head][s];
    v8 tail = splat(0);
    for (int i = s + 2; i < n; i++) tail = madd(a[i][s], a[i][s], tail);
    const v8 square = madd(alpha, alpha, tail), norm = root(square);
    const v8 reflects = above(tail, splat(1e-30f));
    const v8 edge = select8(reflects, select8(at_most(splat(0), alpha), negative(norm), norm), alpha);
    const v8 factor = both(splat(1) / madd(magnitude(alpha), norm, square), reflects);
    w->edge[s] = edge, w->beta[s] = factor;
    a[head][s] = alpha - edge;
    // work <- factor A v, v being column s.
    for (int i = head; i < n; i++) w->work[i] = splat(0);
    for (int i = head; i < n; i++) {
      const v8 vi = a[i][s];
      v8 sum = splat(0);
      for (int j = head; j < i; j++) {
        sum = madd(a[i][j], a[j][s], sum);
        w->work[j] = madd(a[i][j], vi, w->work[j]);
      }
      w->work[i] += madd(a[i][i], vi, sum);
    }
    v8 inner = splat(0);
    for (int i = head; i < n; i++) {
      w->work[i] *= factor;
      inner = madd(w->work[i], a[i][s], inner);
    }
    const v8 half = splat(0.5f) * factor * inner;
    for (int i = head; i < n; i++) w->work[i] = nmadd(half, a[i][s], w->work[i]);
    for (int i = head; i < n; i++) {
      const v8 vi = a[i][s], wi = w->work[i];
      for (int j = head; j <= i; j++) a[i][j] = nmadd(wi, a[j][s], nmadd(vi, w->work[j], a[i][j]));
    }
  }
  for (int i = 0; i < n; i++) w->diagonal[i] = a[i][i];
  if (n > 1) w->edge[n - 2] = a[n - 1][n - 2];
}

static inline void reflect(const Work *w, int n, int s, v8 *vectors) {
  v8 sum = splat(0);
  for (int i = s + 1; i < n; i++) sum = madd(w->matrix[i][s], vectors[i], sum);
  sum *= w->beta[s];
  for (int i = s + 1; i < n; i++) vectors[i] = nmadd(w->matrix[i][s], sum, vectors[i]);
}

static void into_basis(const Work *w, int n, v8 *vectors) {
  for (int s = 0; s + 2 < n; s++) reflect(w, n, s, vectors);
}

static void out_of_basis(const Work *w, int n, v8 *vectors) {
  for (int s = n - 3; s >= 0; s--) reflect(w, n, s, vectors);
}

static void factorise(Work *w, int n, v8 shift) {
  v8 pivot = larger(w->diagonal[0] + shift, shift), inverse = splat(1) / pivot;
  w->inverse[0] = inverse;
  for (int i = 1; i < n; i++) {
    const v8 edge = w->edge[i - 1], ratio = edge * inverse;
    pivot = larger(nmadd(ratio, edge, w->diagonal[i] + shift), shift);
    inverse = splat(1) / pivot;
    w->ratio[i] = ratio, w->inverse[i] = inverse;
  }
}

/** results += weight (T + shift)^-1 vectors */
static void add_solution(Work *w, int n, v8 weight, const v8 *vectors, v8 *results) {
  v8 side = vectors[0], next = splat(0);
  w->forward[0] = side;
  for (int i = 1; i < n; i++) w->forward[i] = side = nmadd(w->ratio[i], side, vectors[i]);
  for (int i = n - 1; i >= 0; i--) {
    const v8 sum = i == n - 1 ? w->forward[i] : nmadd(w->edge[i], next, w->forward[i]);
    next = sum * w->inverse[i];
    results[i] = madd(weight, next, results[i]);
  }
}

static void analyse(Work *w, int x, int y) {
  const int n = find_local(w, x, y);
  const v8 scale = splat(1) / (splat(1) + gram(w, n)), unit = larger(scale, splat(1.0f / 1048576));
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) w->matrix[i][j] *= scale;
  tridiagonalise(w, n);
  for (int a = 0; a < n; a++) {
    w->side[a] = w->roots[a] * splat(w->innovation[a]);
    w->mean_weights[a] = splat(0);
  }
  float bounds[LANES];
  store(bounds, splat(1) / unit);
  int class = 0;
  for (int lane = 0; lane < LANES; lane++)
    for (float most = powf(4, (float)(class + 1)); class < CLASSES - 1 && bounds[lane] > most; most *= 4) class++;
  if (n > 0) {
    into_basis(w, n, w->side);
    factorise(w, n, unit);
    add_solution(w, n, scale, w->side, w->mean_weights);
  }
  const size_t plane = (size_t)nx * ny, cell = (size_t)y * nx + x, member = plane * variables;
  for (int v = 0; v < variables; v++) {
    const float *from = ensemble + v * plane + cell;
    v8 *anomaly = w->x[v], sum = splat(0);
    w->origin[v] = load(from);
    for (int l = 0; l < members; l++) sum += anomaly[l] = load(from + (size_t)l * member) - w->origin[v];
    w->mean[v] = sum / splat((float)members);
    for (int a = 0; a < n; a++) {
      v8 product = splat(0);
      for (int l = 0; l < members; l++) product = madd(anomaly[l], _mm256_broadcast_ss(w->rows[a] + l), product);
      w->vectors[v][a] = w->roots[a] * product;
      w->results[v][a] = splat(0);
    }
    into_basis(w, n, w->vectors[v]);
  }
  for (int m = 0; n > 0 && m < pole_count[class]; m++) {
    factorise(w, n, unit * splat(poles[class][m].shift));
    const v8 weight = scale * splat(poles[class][m].weight_of_f);
    for (int v = 0; v < variables; v++) add_solution(w, n, weight, w->vectors[v], w->results[v]);
  }
  for (int v = 0; v < variables; v++) {
    v8 *anomaly = w->x[v], shift = splat(0);
    for (int a = 0; a < n; a++) shift = madd(w->mean_weights[a], w->vectors[v][a], shift);
    out_of_basis(w, n, w->results[v]);
    for (int a = 0; a < n; a++) {
      const v8 correction = w->roots[a] * w->results[v][a];
      for (int l = 0; l < members; l++) anomaly[l] = nmadd(_mm256_broadcast_ss(w->rows[a] + l), correction, anomaly[l]);
    }
    const v8 centre = w->mean[v] + splat(mean_scale) * shift;
    float *to = analysis + v * plane + cell;
    for (int l = 0; l < members; l++)
      store(to + (size_t)l * member, w->origin[v] + madd(splat(root_inflation), anomaly[l] - w->mean[v], centre));
  }
}

static void run(void) {
#pragma omp parallel
  {
    static _Thread_local Work w;
#pragma omp for schedule(dynamic, 64)
    for (int slot = 0; slot < observations; slot++) standardise(slot);
#pragma omp for schedule(dynamic)
    for (int y = 0; y < ny; y++)
      for (int x = 0; x < nx; x += LANES) analyse(&w, x, y);
  }
  if (is_crowded) fail("more observations are in reach than localCapacity", "letkf");
}

int main(int argc, char **argv) {
  open_problem(argc, argv);
  nx = whole("nx"), ny = whole("ny"), variables = whole("variables"), members = whole("members");
  observations = whole("observations"), capacity = whole("localCapacity"), half_width = (float)number("halfWidthCells");
  if (nx % LANES || whole("periodicX") || whole("periodicY")) fail("needs rows of a multiple of 8 cells that do not repeat", argv[0]);
  if (capacity > members || members > MOST_MEMBERS || variables > MOST_VARIABLES)
    fail("needs fewer observations in reach than members, and at most 128 members of 3 variables", argv[0]);
  const double inflation = number("inflation");
  root_inflation = (float)sqrt(inflation), mean_scale = (float)sqrt(inflation / (members - 1));
  reach = 2 * half_width;
  padded = (members + LANES - 1) / LANES * LANES;
  size_t length, count;
  ensemble = reals("ensemble", &length);
  analysis = zeros(length);
  observed = reals("observedEnsemble", &count);
  values = reals("values", &count);
  inverse_error = reals("inverseErrorStd", &count);
  position_x = reals("positionX", &count), position_y = reals("positionY", &count);
  bin_start = words("binStart", &count), bin_observations = words("binObservations", &count);
  bins_x = bins_along(nx), bins_y = bins_along(ny);
  anomalies = zeros((size_t)observations * padded), slots = zeros(4 * (size_t)observations);
  prepare_poles();
  return measure(analysis, length, 0, run);
}
