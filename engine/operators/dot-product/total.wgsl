// Second stage of a separate sum: result[at] = factor · Σ partials.
// Bindings: 0 parameters, 1 partials [groups], 2 result.
// Workgroup: one, of 256.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> partials: array<f32>;
@group(0) @binding(2) var<storage, read_write> result: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
  let total = totalOf(0u, lane);
  if (lane == 0u) {
    result[parameters.at] = parameters.factor * total;
  }
}
