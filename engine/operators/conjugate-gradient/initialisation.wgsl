// Conjugate gradients from v = 0: r = p = b; the first entries of history (but for the norm of r) and progress.
// Bindings: 0 parameters, 1 rightHandSide, 2 solution, 3 residual, 4 direction, all [length], 5 history, 6 progress.
// Workgroup: 256 elements.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> rightHandSide: array<f32>;
@group(0) @binding(2) var<storage, read_write> solution: array<f32>;
@group(0) @binding(3) var<storage, read_write> residual: array<f32>;
@group(0) @binding(4) var<storage, read_write> direction: array<f32>;
@group(0) @binding(5) var<storage, read_write> history: array<f32>;
@group(0) @binding(6) var<storage, read_write> progress: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  solution[i] = 0.0;
  residual[i] = rightHandSide[i];
  direction[i] = rightHandSide[i];
  if (i == 0u) {
    history[HALF_NORM] = 0.0;
    progress[COMPLETED] = 0u;
    progress[STATUS] = RUNNING;
    progress[CURRENT] = 0u;
  }
}
