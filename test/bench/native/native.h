/*
 * What the native baselines share: vectors of eight float32 (AVX2 with fused multiply-add), a problem that Shoal wrote to a
 * folder (compare/problem-folder.ts), and the timing of what solves it. Threads are those of OpenMP, as many as OMP_NUM_THREADS.
 */
#pragma once
#if !defined(__AVX2__) || !defined(__FMA__)
#error "the native baselines need a processor with AVX2 and fused multiply-add"
#endif
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

typedef __m256 v8;
enum { LANES = 8 };

static inline v8 load(const float *at) { return _mm256_loadu_ps(at); }
static inline void store(float *at, v8 v) { _mm256_storeu_ps(at, v); }
static inline v8 splat(float value) { return _mm256_set1_ps(value); }
/** a b + c, rounded once. */
static inline v8 madd(v8 a, v8 b, v8 c) { return _mm256_fmadd_ps(a, b, c); }
/** c - a b */
static inline v8 nmadd(v8 a, v8 b, v8 c) { return _mm256_fnmadd_ps(a, b, c); }
static inline v8 root(v8 v) { return _mm256_sqrt_ps(v); }
static inline v8 larger(v8 a, v8 b) { return _mm256_max_ps(a, b); }
static inline v8 smaller(v8 a, v8 b) { return _mm256_min_ps(a, b); }
static inline v8 magnitude(v8 v) { return _mm256_andnot_ps(splat(-0.0f), v); }
static inline v8 negative(v8 v) { return _mm256_xor_ps(splat(-0.0f), v); }
/** Comparisons give all bits of a lane or none. */
static inline v8 above(v8 a, v8 b) { return _mm256_cmp_ps(a, b, _CMP_GT_OQ); }
static inline v8 at_most(v8 a, v8 b) { return _mm256_cmp_ps(a, b, _CMP_LE_OQ); }
static inline v8 both(v8 a, v8 b) { return _mm256_and_ps(a, b); }
static inline v8 unless(v8 mask, v8 v) { return _mm256_andnot_ps(mask, v); }
static inline v8 select8(v8 mask, v8 yes, v8 no) { return _mm256_blendv_ps(no, yes, mask); }
static inline int bits(v8 mask) { return _mm256_movemask_ps(mask); }
/** What is no smaller than `least`, 0 in place of the rest. */
static inline v8 unless_below(v8 least, v8 v) { return unless(above(least, magnitude(v)), v); }

/** A value that stays in a register: gcc would read it again for every use of it, and reads are what these loops wait for. */
static inline v8 held(v8 v) {
  __asm__("" : "+x"(v));
  return v;
}

static inline float sum_of(v8 v) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

/** The first `count` of eight; the others are not touched. */
static inline void store_first(float *at, v8 v, int count) {
  if (count >= LANES) {
    store(at, v);
    return;
  }
  const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  _mm256_maskstore_ps(at, _mm256_cmpgt_epi32(_mm256_set1_epi32(count), lane), v);
}

/** Points of eight lines become lines of eight points, `apart` numbers from each other. */
void store_transposed(const v8 line[LANES], float *target, size_t apart);

/** Ends the program with a message. */
_Noreturn void fail(const char *message, const char *about);

/** Opens the problem in the folder that is the first argument; the second is how many seconds the timing takes, about. */
void open_problem(int argc, char **argv);
/** A parameter; 1 for true, 0 for false. */
double number(const char *name);
int whole(const char *name);
/** Whether a parameter is this text. */
int is_text(const char *name, const char *text);
/** A list of numbers among the parameters. @param length how many there are */
double *list(const char *name, size_t *length);
/** An input, rounded to float32. */
float *reals(const char *name, size_t *length);
uint32_t *words(const char *name, size_t *length);
/** Zeros, aligned to 64 bytes, with room for vectors beyond the end. */
float *zeros(size_t length);

/**
 * Runs once and compares the output with what is expected, then times runs, and prints the row. `before` is called before each
 * run and is not timed; it may be absent.
 */
int measure(const float *output, size_t length, void (*before)(void), void (*run)(void));
