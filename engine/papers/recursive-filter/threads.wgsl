// Algorithm 2 of [rf-gpu], a part of the signal a thread: all K iterations of the recursive filter, from end to end.
// Bindings: 0 parameters, 1 input [N], 2 output [N], 3 swept [points of a part with both overlaps][t], so that the threads of a
//   workgroup read and write side by side.
// Workgroup: THREADS parts. Points beyond the signal are zero. A sweep is v_j = s_j + α(v_{j−1} − s_j), as in the program's filter.

override THREADS: u32 = 64u;

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> source: array<f32>;
@group(0) @binding(2) var<storage, read_write> result: array<f32>;
@group(0) @binding(3) var<storage, read_write> swept: array<f32>;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  let index = group.x * THREADS + thread;
  let start = index * parameters.size + min(index, parameters.longer);
  let size = parameters.size + select(0u, 1u, index < parameters.longer);
  let points = size + 2u * parameters.overlap;
  let stride = parameters.parts;
  for (var i = 0u; i < points; i++) {
    let at = i32(start + i) - i32(parameters.overlap);
    var value = 0.0;
    if (at >= 0 && at < i32(parameters.length)) {
      value = source[at];
    }
    swept[i * stride + index] = value;
  }
  for (var k = 0u; k < parameters.iterations; k++) {
    // p₀ = βs₀ at first, then M s₀: the value before it is 0, or (1 − M) s₀.
    let head = swept[index];
    var v = head * select(1.0 - parameters.M, 0.0, k == 0u);
    for (var i = 0u; i < points; i++) {
      let s = swept[i * stride + index];
      v = fma(parameters.alpha, v - s, s);
      swept[i * stride + index] = v;
    }
    v *= 1.0 - parameters.M;
    for (var i = points; i > 0u; i--) {
      let s = swept[(i - 1u) * stride + index];
      v = fma(parameters.alpha, v - s, s);
      swept[(i - 1u) * stride + index] = v;
    }
  }
  for (var i = 0u; i < size; i++) {
    result[start + i] = swept[(i + parameters.overlap) * stride + index];
  }
}
