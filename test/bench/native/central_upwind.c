/*
 * The central-upwind scheme between walls on a bed, as engine/models/shallow-water/central-upwind has it: stages of Heun's method on
 * blocks of rows with three rings of ghost cells. Rotation is there; friction is not.
 */
#include "native.h"
#include <string.h>

enum { RINGS = 3, BLOCK_ROWS = 16, ROWS = BLOCK_ROWS + 2 * RINGS, FIRST = 8, BAND_CELLS = 16384, MANY_MEMBERS = 8 };
/** Arrays of a block, by row; through the near faces along x and along y five fluxes and the slope's force each. */
enum { ETA, DEPTH, U, V, GROUND, FRONT, X_FACES, Y_FACES = 12, SHARE = 18, SLOPES };
enum { WATER, ADVECTION, BEFORE, AFTER, TANGENTIAL, FORCE };
/** Slopes within the cells of two rows: half differences of elevation and velocities, bed at the near and at the far face. */
enum { RISE, GAIN, SHEAR, NEAR_GROUND, FAR_GROUND, SLOPE_ARRAYS };

static int nx, ny, members, steps, bands, band_rows;
/** Numbers of a row's array: the cell i is at 8 + i. */
static size_t array, cells, length;
static float gravity, dry_depth, ratio_x, ratio_y, rotation, rotation_growth, fast_x, fast_y;
static float *initial, *state, *other, *bed;
static int is_wrong;

static inline float *row_of(float *work, int which, int row) { return work + (size_t)(which * ROWS + row + RINGS) * array; }
static inline float *slopes_of(float *work, int which, int row) {
  return work + (size_t)(SLOPES * ROWS + 2 * which + (row & 1)) * array;
}

/** The cell that represents index i, and the sign of the momentum normal to the walls. */
static int source_of(int i, int n) {
  const int folded = ((i % (2 * n)) + 2 * n) % (2 * n);
  return folded < n ? folded : 2 * n - 1 - folded;
}

static float sign_of(int i, int n) { return i < 0 || i >= n ? -1 : 1; }

static void load_row(const float *member, int j, int row, float *work) {
  const size_t source = (size_t)source_of(j, ny) * nx;
  const v8 sign = splat(sign_of(j, ny)), zero = splat(0);
  float *eta_row = row_of(work, ETA, row) + FIRST, *depth_row = row_of(work, DEPTH, row) + FIRST;
  float *u_row = row_of(work, U, row) + FIRST, *v_row = row_of(work, V, row) + FIRST;
  float *ground_row = row_of(work, GROUND, row) + FIRST, *front_row = row_of(work, FRONT, row) + FIRST;
  for (int i = 0; i < nx; i += LANES) {
    const float *from = member + source + i;
    const v8 ground = load(bed + source + i), level = load(from), least = splat(1e-15f) * (level - ground);
    const v8 eta = unless_below(least, level);
    const v8 hu = unless_below(least, load(from + cells)), hv = unless_below(least, load(from + 2 * cells));
    const v8 depth = larger(eta - ground, zero), wet = above(depth, splat(dry_depth));
    const v8 u = both(hu / depth, wet), v = both(sign * hv / depth, wet);
    const v8 wave = root(splat(gravity) * depth);
    store(eta_row + i, eta);
    store(depth_row + i, depth);
    store(u_row + i, u);
    store(v_row + i, v);
    store(ground_row + i, ground);
    store(front_row + i, both(root(madd(u, u, v * v)) + (wave + wave), wet));
  }
  for (int ring = -RINGS; ring < RINGS; ring++) {
    const int i = ring < 0 ? ring : nx + ring;
    for (int which = ETA; which <= FRONT; which++) {
      float *values = row_of(work, which, row) + FIRST;
      values[i] = (which == U ? sign_of(i, nx) : 1) * values[source_of(i, nx)];
    }
  }
}

/** Generalised minmod of two one-sided differences. */
static inline v8 limited(v8 down, v8 up) {
  const v8 mean = splat(0.5f) * (down + up);
  const v8 size = smaller(magnitude(mean), splat(1.5f) * smaller(magnitude(down), magnitude(up)));
  return unless((v8)_mm256_srai_epi32((__m256i)_mm256_xor_ps(down, up), 31), _mm256_or_ps(size, both(mean, splat(-0.0f))));
}

static inline v8 slope(const float *values, ptrdiff_t apart, v8 blocks_before, v8 blocks_after, v8 dry_before, v8 dry_after) {
  const v8 here = load(values), down = here - load(values - apart), up = load(values + apart) - here;
  const v8 from_below = select8(blocks_after, unless(dry_before, down), limited(down, up));
  return select8(blocks_before, unless(dry_after, up), from_below);
}

/** Slopes in the cells first ... last of a row; neighbours along the axis are `apart` numbers from each other. */
static inline void slopes_in_row(float *work, int row, int first, int last, ptrdiff_t apart, int normal, int tangential) {
  const float *eta_row = row_of(work, ETA, row) + FIRST, *depth_row = row_of(work, DEPTH, row) + FIRST;
  const float *normal_row = row_of(work, normal, row) + FIRST, *tangential_row = row_of(work, tangential, row) + FIRST;
  const float *ground_row = row_of(work, GROUND, row) + FIRST;
  float *rises = slopes_of(work, RISE, row) + FIRST, *gains = slopes_of(work, GAIN, row) + FIRST;
  float *shears = slopes_of(work, SHEAR, row) + FIRST;
  float *near_grounds = slopes_of(work, NEAR_GROUND, row) + FIRST, *far_grounds = slopes_of(work, FAR_GROUND, row) + FIRST;
  const v8 least = splat(dry_depth), half = splat(0.5f);
  for (int i = first; i <= last; i += LANES) {
    const v8 dry = at_most(load(depth_row + i), least);
    const v8 dry_before = at_most(load(depth_row + i - apart), least), dry_after = at_most(load(depth_row + i + apart), least);
    const v8 eta = load(eta_row + i);
    const v8 shore_before = both(dry_before, above(load(eta_row + i - apart), eta));
    const v8 shore_after = both(dry_after, above(load(eta_row + i + apart), eta));
    const v8 rise = unless(dry, half * slope(eta_row + i, apart, shore_before, shore_after, dry_before, dry_after));
    const v8 ground = load(ground_row + i);
    const v8 near = smaller(half * (ground + load(ground_row + i - apart)), eta - rise);
    const v8 far = smaller(half * (ground + load(ground_row + i + apart)), eta + rise);
    store(rises + i, rise);
    store(gains + i, unless(dry, half * slope(normal_row + i, apart, dry_before, dry_after, dry_before, dry_after)));
    store(shears + i, unless(dry, half * slope(tangential_row + i, apart, dry_before, dry_after, dry_before, dry_after)));
    store(near_grounds + i, select8(dry, ground, near));
    store(far_grounds + i, select8(dry, ground, far));
  }
}

/** Fluxes through the near faces of the cells first ... last; the cells before them are in `row_before`, `back` numbers further to the front. */
static inline void fluxes_of_row(float *work, int row, int row_before, int back, int first, int last, int normal, int tangential, int faces) {
  const float *eta_here = row_of(work, ETA, row) + FIRST, *eta_before = row_of(work, ETA, row_before) + FIRST - back;
  const float *normal_here = row_of(work, normal, row) + FIRST, *normal_before = row_of(work, normal, row_before) + FIRST - back;
  const float *tangential_here = row_of(work, tangential, row) + FIRST;
  const float *tangential_before = row_of(work, tangential, row_before) + FIRST - back;
  const float *rise_here = slopes_of(work, RISE, row) + FIRST, *rise_before = slopes_of(work, RISE, row_before) + FIRST - back;
  const float *gain_here = slopes_of(work, GAIN, row) + FIRST, *gain_before = slopes_of(work, GAIN, row_before) + FIRST - back;
  const float *shear_here = slopes_of(work, SHEAR, row) + FIRST, *shear_before = slopes_of(work, SHEAR, row_before) + FIRST - back;
  const float *near_here = slopes_of(work, NEAR_GROUND, row) + FIRST, *far_here = slopes_of(work, FAR_GROUND, row) + FIRST;
  const float *far_before = slopes_of(work, FAR_GROUND, row_before) + FIRST - back;
  float *waters = row_of(work, faces + WATER, row) + FIRST, *advections = row_of(work, faces + ADVECTION, row) + FIRST;
  float *befores = row_of(work, faces + BEFORE, row) + FIRST, *afters = row_of(work, faces + AFTER, row) + FIRST;
  float *tangentials = row_of(work, faces + TANGENTIAL, row) + FIRST, *forces = row_of(work, faces + FORCE, row) + FIRST;
  const v8 g = splat(gravity), half_g = splat(0.5f * gravity), zero = splat(0);
  for (int i = first; i <= last; i += LANES) {
    const v8 eta = load(eta_here + i), rise = load(rise_here + i), near_ground = load(near_here + i);
    const v8 near_eta = eta - rise, far_eta = eta + rise;
    store(forces + i, half_g * ((near_eta - near_ground) + (far_eta - load(far_here + i))) * (far_eta - near_eta));
    const v8 left_ground = load(far_before + i), left_eta = load(eta_before + i) + load(rise_before + i);
    const v8 left = load(normal_before + i) + load(gain_before + i), right = load(normal_here + i) - load(gain_here + i);
    const v8 sill = larger(left_ground, near_ground), eta_left = larger(left_eta, sill), eta_right = larger(near_eta, sill);
    const v8 h_left = eta_left - sill, h_right = eta_right - sill;
    const v8 c_left = root(g * h_left), c_right = root(g * h_right);
    const v8 wet_left = above(h_left, zero), wet_right = above(h_right, zero);
    const v8 fastest = larger(larger(both(left + c_left, wet_left), both(right + c_right, wet_right)), zero);
    const v8 slowest = smaller(smaller(both(left - c_left, wet_left), both(right - c_right, wet_right)), zero);
    const v8 inverse = both(splat(1) / (fastest - slowest), above(fastest, slowest));
    const v8 weight_left = fastest * inverse, weight_right = negative(slowest) * inverse, diffusion = fastest * weight_right;
    const v8 step = eta_right - eta_left, pressure = half_g * (h_left + h_right) * step;
    const v8 q_left = h_left * left, q_right = h_right * right;
    const v8 water = nmadd(diffusion, step, madd(weight_left, q_left, weight_right * q_right));
    store(waters + i, water);
    store(advections + i, nmadd(diffusion, q_right - q_left, madd(weight_left * q_left, left, weight_right * q_right * right)));
    store(befores + i, weight_right * pressure);
    store(afters + i, negative(weight_left) * pressure);
    const v8 left_tangential = load(tangential_before + i) + load(shear_before + i);
    const v8 right_tangential = load(tangential_here + i) - load(shear_here + i);
    store(tangentials + i, water * select8(above(water, zero), left_tangential, right_tangential));
  }
}

/** Share of the outflow that the cells -1 ... nx of a row can give in a step. */
static void shares_of_row(float *work, int row) {
  const float *x = row_of(work, X_FACES + WATER, row) + FIRST, *depths = row_of(work, DEPTH, row) + FIRST;
  const float *south = row_of(work, Y_FACES + WATER, row) + FIRST, *north = row_of(work, Y_FACES + WATER, row + 1) + FIRST;
  float *shares = row_of(work, SHARE, row) + FIRST;
  const v8 zero = splat(0);
  for (int i = -1; i <= nx; i += LANES) {
    const v8 along_x = larger(load(x + i + 1), zero) + larger(negative(load(x + i)), zero);
    const v8 along_y = larger(load(north + i), zero) + larger(negative(load(south + i)), zero);
    const v8 outflow = madd(splat(ratio_x), along_x, splat(ratio_y) * along_y), h = load(depths + i);
    store(shares + i, select8(above(outflow, h), h / outflow, splat(1)));
  }
}

/** Largest speed that water of the cells `fronts` can have in the cells of elevation `eta`; 0 from dry ones. */
static inline v8 reach(const float *fronts, const float *etas, v8 eta) {
  const v8 front = load(fronts), fall = larger(load(etas) - eta, splat(0));
  return both(root(madd(front, front, splat(2 * gravity) * fall)), above(front, splat(0)));
}

static v8 slowdown(float *work, int row, int i, v8 speed) {
  const float *etas = row_of(work, ETA, row) + FIRST + i, *fronts = row_of(work, FRONT, row) + FIRST + i;
  v8 fastest = load(fronts);
  if (!bits(above(speed, fastest))) return splat(1);
  const v8 eta = load(etas);
  fastest = larger(fastest, larger(reach(fronts - 1, etas - 1, eta), reach(fronts + 1, etas + 1, eta)));
  fastest = larger(fastest, larger(reach(fronts - array, etas - array, eta), reach(fronts + array, etas + array, eta)));
  return select8(above(speed, fastest), fastest / speed, splat(1));
}

/** Euler's step of row j, and in stage 2 the mean with the old state. */
static int update_row(int stage, const float *old, const float *from, float *to, int j, int row, float *work) {
  const float *x = row_of(work, X_FACES, row) + FIRST, *south = row_of(work, Y_FACES, row) + FIRST;
  const float *shares = row_of(work, SHARE, row) + FIRST;
  const size_t next = ROWS * array, place = (size_t)j * nx;
  const v8 rx = splat(ratio_x), ry = splat(ratio_y), turn = splat(rotation + rotation_growth * (float)j);
  const v8 zero = splat(0), half = splat(0.5f), rest = splat(1e-15f), dry = splat(dry_depth);
  int fine = 255;
  for (int i = 0; i < nx; i += LANES) {
    const float *w = x + i, *e = w + 1, *s = south + i, *n = s + array, *c = shares + i;
    const v8 own = load(c), water_west = load(w), water_east = load(e), water_south = load(s), water_north = load(n);
    const v8 west = select8(above(water_west, zero), load(c - 1), own), east = select8(above(water_east, zero), own, load(c + 1));
    const v8 below = select8(above(water_south, zero), load(c - array), own);
    const v8 upper = select8(above(water_north, zero), own, load(c + array));
    const v8 water = madd(rx, east * water_east - west * water_west, ry * (upper * water_north - below * water_south));
    const v8 pressure_x = load(e + BEFORE * next) - load(w + AFTER * next) + load(w + FORCE * next);
    const v8 pressure_y = load(n + BEFORE * next) - load(s + AFTER * next) + load(s + FORCE * next);
    const v8 shear_x = upper * load(n + TANGENTIAL * next) - below * load(s + TANGENTIAL * next);
    const v8 shear_y = east * load(e + TANGENTIAL * next) - west * load(w + TANGENTIAL * next);
    const v8 advection_x = east * load(e + ADVECTION * next) - west * load(w + ADVECTION * next);
    const v8 advection_y = upper * load(n + ADVECTION * next) - below * load(s + ADVECTION * next);
    const v8 along_x = madd(rx, advection_x + pressure_x, ry * shear_x), along_y = madd(ry, advection_y + pressure_y, rx * shear_y);
    const float *cell = from + place + i;
    const v8 ground = load(bed + place + i), level = load(cell), least = rest * (level - ground);
    const v8 before_u = unless_below(least, load(cell + cells)), before_v = unless_below(least, load(cell + 2 * cells));
    v8 eta = larger(unless_below(least, level) - water, ground), depth = eta - ground, wet = above(depth, dry);
    const v8 slow = rest * depth;
    const v8 new_u = both(unless_below(slow, before_u - along_x + turn * before_v), wet);
    const v8 new_v = both(unless_below(slow, before_v - along_y - turn * before_u), wet);
    const v8 speed = both(root(madd(new_u, new_u, new_v * new_v)) / depth, wet);
    const v8 slowing = slowdown(work, row, i, speed);
    v8 hu = slowing * new_u, hv = slowing * new_v;
    if (stage == 2) {
      const float *was = old + place + i;
      const v8 old_level = load(was), old_least = rest * (old_level - ground);
      eta = half * (unless_below(old_least, old_level) + eta);
      depth = eta - ground, wet = above(depth, dry);
      hu = both(half * (unless_below(old_least, load(was + cells)) + hu), wet);
      hv = both(half * (unless_below(old_least, load(was + 2 * cells)) + hv), wet);
      const v8 carried = depth * root(splat(gravity) * depth);
      const v8 bounded = both(at_most(magnitude(hu) + carried, splat(fast_x) * depth), at_most(magnitude(hv) + carried, splat(fast_y) * depth));
      fine &= bits(_mm256_or_ps(at_most(depth, dry), bounded));
    }
    store(to + place + i, eta);
    store(to + place + i + cells, hu);
    store(to + place + i + 2 * cells, hv);
  }
  return fine != 255;
}

/** Stage 1 reads the state and writes the other array; stage 2 reads that one and brings the state to the mean, in place. */
static int stage_of_block(int stage, float *old, float *next, int j0, int j1, float *work) {
  const float *from = stage == 1 ? old : next;
  const int rows = j1 - j0;
  for (int row = -3; row < rows + 3; row++) load_row(from, j0 + row, row, work);
  for (int row = -1; row <= rows; row++) {
    slopes_in_row(work, row, -2, nx + 1, 1, U, V);
    fluxes_of_row(work, row, row, 1, -1, nx + 1, U, V, X_FACES);
  }
  slopes_in_row(work, -2, -1, nx, (ptrdiff_t)array, V, U);
  for (int row = -1; row <= rows + 1; row++) {
    slopes_in_row(work, row, -1, nx, (ptrdiff_t)array, V, U);
    fluxes_of_row(work, row, row - 1, 0, -1, nx, V, U, Y_FACES);
  }
  for (int row = -1; row <= rows; row++) shares_of_row(work, row);
  int suspicious = 0;
  for (int j = j0; j < j1; j++) suspicious |= update_row(stage, old, from, stage == 1 ? next : old, j, j - j0, work);
  return suspicious;
}

static void take_stage(int stage, int part, float *work) {
  const size_t member = (size_t)(part / bands) * 3 * cells;
  const int j0 = part % bands * band_rows, j1 = j0 + band_rows < ny ? j0 + band_rows : ny;
  for (int j = j0; j < j1; j += BLOCK_ROWS)
    if (stage_of_block(stage, state + member, other + member, j, j + BLOCK_ROWS < j1 ? j + BLOCK_ROWS : j1, work)) is_wrong = 1;
}

static void run(void) {
#pragma omp parallel
  {
    static _Thread_local float *work;
    if (!work) work = zeros((SLOPES * ROWS + 2 * SLOPE_ARRAYS) * array);
    if (bands == 1) {
#pragma omp for schedule(dynamic)
      for (int part = 0; part < members; part++)
        for (int stage = 0; stage < 2 * steps; stage++) take_stage(1 + stage % 2, part, work);
    } else {
      for (int stage = 0; stage < 2 * steps; stage++)
#pragma omp for schedule(dynamic)
        for (int part = 0; part < bands * members; part++) take_stage(1 + stage % 2, part, work);
    }
  }
  if (is_wrong) fail("the water became unstable", "central_upwind");
}

static void before(void) { memcpy(state, initial, sizeof(float) * length); }

int main(int argc, char **argv) {
  open_problem(argc, argv);
  nx = whole("nx"), ny = whole("ny"), members = whole("members"), steps = whole("steps");
  if (nx % LANES || !is_text("x", "wall") || !is_text("y", "wall") || number("manning") > 0)
    fail("needs walls, rows of a multiple of 8 cells and no friction", argv[0]);
  const double dt = number("timeStep"), dx = number("dx"), dy = number("dy"), beta = number("beta");
  gravity = (float)number("gravity"), dry_depth = (float)number("dryDepth");
  ratio_x = (float)(dt / dx), ratio_y = (float)(dt / dy);
  rotation = (float)(dt * (number("f") - beta * 0.5 * (ny - 1) * dy)), rotation_growth = (float)(dt * beta * dy);
  fast_x = (float)(1.98 * dx / dt), fast_y = (float)(1.98 * dy / dt);
  cells = (size_t)nx * ny;
  array = (size_t)nx + 4 * LANES;
  const int is_whole = members >= MANY_MEMBERS || cells <= BAND_CELLS;
  band_rows = is_whole ? ny : BAND_CELLS / nx > 8 ? BAND_CELLS / nx : 8;
  bands = (ny + band_rows - 1) / band_rows;
  size_t count;
  const double *ground = list("bed", &count);
  bed = zeros(cells);
  for (size_t i = 0; i < cells; i++) bed[i] = (float)ground[i];
  initial = reals("state", &length);
  state = zeros(length), other = zeros(length);
  return measure(state, length, before, run);
}
