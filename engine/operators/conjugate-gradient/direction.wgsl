// The end of an iteration of conjugate gradients: β = r₊ᵀr₊ / rᵀr;  p = r + βp;  and, by the first workgroup, whether to continue:
// not when ‖r‖ <= tolerance ‖b‖, nor when the energy gained, αrᵀr, is below (2⁻²⁴)² of what the first iteration gained.
// Reads CURRENT; the first workgroup alone reads and writes COMPLETED and STATUS.
// Bindings: 0 parameters, 1 residual (r), 2 direction (p), both [length], 3 partials [3][groups], 4 history, 5 progress.
// Workgroup: 256; `groups` of them stride over the elements.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> residual: array<f32>;
@group(0) @binding(2) var<storage, read_write> direction: array<f32>;
@group(0) @binding(3) var<storage, read> partials: array<f32>;
@group(0) @binding(4) var<storage, read_write> history: array<f32>;
@group(0) @binding(5) var<storage, read_write> progress: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let after = totalOf(1u, lane);
  let current = progress[CURRENT];
  if (current > 0u) {
    let beta = after / history[STRIDE * (current - 1u) + RESIDUAL];
    for (var i = group.x * 256u + lane; i < parameters.length; i += parameters.groups * 256u) {
      direction[i] = residual[i] + beta * direction[i];
    }
  }
  if (group.x == 0u) {
    let solutionSquared = totalOf(2u, lane);
    if (lane == 0u) {
      record(current, after, solutionSquared);
    }
  }
}
