// y = H(x) + σ ε, or the value that is given.
// Bindings: 0 parameters, 1 observed, 2 normal, 3 term, 4 isGiven, 5 values, all [observations].
// Workgroup: 64 observations.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> observed: array<f32>;
@group(0) @binding(2) var<storage, read> normal: array<f32>;
@group(0) @binding(3) var<storage, read> term: array<f32>;
@group(0) @binding(4) var<storage, read> isGiven: array<u32>;
@group(0) @binding(5) var<storage, read_write> values: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let j = linearIndex(id, groups, 64u);
  if (j >= parameters.observations) {
    return;
  }
  values[j] = select(term[j], observed[j] + term[j] * normal[j], isGiven[j] == 0u);
}
