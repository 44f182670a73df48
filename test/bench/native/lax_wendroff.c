/*
 * Moler's two-step Lax-Wendroff scheme between walls, as engine/models/shallow-water/lax-wendroff has it: row by row, with the
 * fluxes of a row's cells kept beside it, and every face computed once in a band of rows.
 */
#include "native.h"
#include <string.h>

/** Arrays of a row, each `array` numbers: cell i at 8 + i, its ghost cells at 7 and 8 + nx. */
enum { H, HU, HV, XX, XY, YY, ROW_ARRAYS };
/** Arrays of a row of faces: flux of water, of normal and of tangential momentum. */
enum { WATER, NORMAL, TANGENTIAL, FACE_ARRAYS };
enum { FIRST = 8, BAND_CELLS = 16384, MANY_MEMBERS = 8 };

static int nx, ny, members, steps, bands, band_rows;
static size_t array, cells, length;
static float gravity, half_x, half_y, full_x, full_y, fast_x, fast_y;
static float *initial, *state, *other;
static int is_wrong;

static inline void store_flow(float *at, v8 h, v8 hu, v8 hv) {
  const v8 per_depth = splat(1) / h;
  const v8 u = hu * per_depth, v = hv * per_depth;
  const v8 pressure = splat(0.5f * gravity) * h * h;
  store(at, h);
  store(at + HU * array, hu);
  store(at + HV * array, hv);
  store(at + XX * array, madd(hu, u, pressure));
  store(at + XY * array, hu * v);
  store(at + YY * array, madd(hv, v, pressure));
}

static void copy_cell(float *row, int to, int from) {
  for (int a = 0; a < ROW_ARRAYS; a++) row[a * array + to] = (a == HU || a == XY ? -1 : 1) * row[a * array + from];
}

/** Row j of a member, -1 ... ny, with its ghost cells. */
static void load_row(const float *member, int j, float *row) {
  const int inside = j < 0 ? 0 : j < ny ? j : ny - 1;
  const v8 sign = splat(inside == j ? 1 : -1);
  const float *from = member + (size_t)inside * nx;
  for (int i = 0; i < nx; i += LANES) {
    const v8 h = load(from + i), least = splat(1e-15f) * h;
    const v8 hu = unless_below(least, load(from + cells + i)), hv = unless_below(least, load(from + 2 * cells + i));
    store_flow(row + FIRST + i, h, hu, sign * hv);
  }
  copy_cell(row, FIRST - 1, FIRST);
  for (int a = 0; a < ROW_ARRAYS; a++) store(row + a * array + FIRST + nx, splat(a == H));
  copy_cell(row, FIRST + nx, FIRST + nx - 1);
}

static inline void face_flux(float *into, const float *a, const float *b, int normal, int tangential, int along, v8 ratio) {
  const v8 half = splat(0.5f);
  const v8 na = load(a + normal * array), nb = load(b + normal * array);
  const v8 depth = nmadd(ratio, nb - na, half * (load(a + H * array) + load(b + H * array)));
  const v8 water = nmadd(ratio, load(b + along * array) - load(a + along * array), half * (na + nb));
  const v8 across = nmadd(ratio, load(b + XY * array) - load(a + XY * array),
                          half * (load(a + tangential * array) + load(b + tangential * array)));
  const v8 speed = water / depth;
  store(into + WATER * array, water);
  store(into + NORMAL * array, madd(water, speed, splat(0.5f * gravity) * depth * depth));
  store(into + TANGENTIAL * array, across * speed);
}

static void x_faces(const float *row, float *into) {
  for (int at = FIRST; at < FIRST + nx + 1; at += LANES)
    face_flux(into + at, row + at - 1, row + at, HU, HV, XX, splat(half_x));
}

static void y_faces(const float *south, const float *north, float *into) {
  for (int at = FIRST; at < FIRST + nx; at += LANES)
    face_flux(into + at, south + at, north + at, HV, HU, YY, splat(half_y));
}

static inline v8 updated(v8 q, const float *x, const float *below, const float *above_) {
  const v8 along_x = load(x + 1) - load(x), along_y = load(above_) - load(below);
  return q - madd(splat(full_x), along_x, splat(full_y) * along_y);
}

/** @returns whether a cell is without water, not finite, or has waves that are nearly too fast */
static int full_step(const float *row, const float *x, const float *below, const float *above_, float *to) {
  const size_t normal = NORMAL * array, tangential = TANGENTIAL * array;
  int fine = 255;
  for (int i = 0; i < nx; i += LANES) {
    const int at = FIRST + i;
    const v8 h = updated(load(row + at), x + at, below + at, above_ + at);
    const v8 hu = updated(load(row + at + HU * array), x + at + normal, below + at + tangential, above_ + at + tangential);
    const v8 hv = updated(load(row + at + HV * array), x + at + tangential, below + at + normal, above_ + at + normal);
    store(to + i, h);
    store(to + cells + i, hu);
    store(to + 2 * cells + i, hv);
    const v8 carried = h * root(splat(gravity) * h);
    const v8 slow = both(at_most(magnitude(hu) + carried, splat(fast_x) * h), at_most(magnitude(hv) + carried, splat(fast_y) * h));
    fine &= bits(both(above(h, splat(0)), slow));
  }
  return fine != 255;
}

/** A step of the rows j0 ... j1 - 1 of a member. */
static int step_rows(const float *from, float *to, int j0, int j1, float *work) {
  float *south = work, *north = south + ROW_ARRAYS * array;
  float *x = north + ROW_ARRAYS * array, *below = x + FACE_ARRAYS * array, *above_ = below + FACE_ARRAYS * array;
  int suspicious = 0;
  load_row(from, j0 - 1, south);
  load_row(from, j0, north);
  y_faces(south, north, below);
  for (int j = j0; j < j1; j++) {
    float *row = north, *swapped = below;
    north = south;
    south = row;
    load_row(from, j + 1, north);
    y_faces(row, north, above_);
    x_faces(row, x);
    suspicious |= full_step(row, x, below, above_, to + (size_t)j * nx);
    below = above_;
    above_ = swapped;
  }
  return suspicious;
}

static void take_step(int part, const float *from, float *to, float *work) {
  const size_t member = (size_t)(part / bands) * 3 * cells;
  const int j0 = part % bands * band_rows, j1 = j0 + band_rows < ny ? j0 + band_rows : ny;
  if (step_rows(from + member, to + member, j0, j1, work)) is_wrong = 1;
}

/** Members by themselves if there are many, else bands of rows step by step. */
static void run(void) {
#pragma omp parallel
  {
    static _Thread_local float *work;
    if (!work) work = zeros((2 * ROW_ARRAYS + 3 * FACE_ARRAYS) * array);
    float *from = state, *to = other;
    if (bands == 1) {
#pragma omp for schedule(dynamic)
      for (int part = 0; part < members; part++)
        for (int step = 0; step < steps; step++)
          take_step(part, step % 2 ? other : state, step % 2 ? state : other, work);
    } else {
      for (int step = 0; step < steps; step++) {
#pragma omp for schedule(dynamic)
        for (int part = 0; part < bands * members; part++) take_step(part, from, to, work);
        float *swapped = from;
        from = to;
        to = swapped;
      }
    }
  }
  if (steps % 2) memcpy(state, other, sizeof(float) * length);
  if (is_wrong) fail("the water became unstable", "lax_wendroff");
}

static void before(void) { memcpy(state, initial, sizeof(float) * length); }

int main(int argc, char **argv) {
  open_problem(argc, argv);
  nx = whole("nx"), ny = whole("ny"), members = whole("members"), steps = whole("steps");
  if (nx % LANES || !is_text("x", "wall") || !is_text("y", "wall")) fail("needs walls and rows of a multiple of 8 cells", argv[0]);
  const double dt = number("timeStep"), dx = number("dx"), dy = number("dy");
  gravity = (float)number("gravity");
  half_x = (float)(dt / (2 * dx)), half_y = (float)(dt / (2 * dy)), full_x = (float)(dt / dx), full_y = (float)(dt / dy);
  fast_x = (float)(1.98 * dx / dt), fast_y = (float)(1.98 * dy / dt);
  cells = (size_t)nx * ny;
  array = (size_t)nx + 3 * LANES;
  const int is_whole = members >= MANY_MEMBERS || cells <= BAND_CELLS;
  band_rows = is_whole ? ny : BAND_CELLS / nx > 8 ? BAND_CELLS / nx : 8;
  bands = (ny + band_rows - 1) / band_rows;
  initial = reals("state", &length);
  state = zeros(length), other = zeros(length);
  return measure(state, length, before, run);
}
