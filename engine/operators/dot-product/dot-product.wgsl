// Kernels of the dot product.

// == dot ==
// First stage of xᵀ(y + shift·x): one partial sum a workgroup, in row 0 of the partial sums.
// Bindings: 0 parameters, 1 x [length], 2 y [length], 3 partials [rows][groups].
// Workgroup: 256; `groups` of them stride over the elements.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> y: array<f32>;
@group(0) @binding(3) var<storage, read_write> partials: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  var sum = 0.0;
  for (var i = group.x * 256u + lane; i < parameters.length; i += parameters.groups * 256u) {
    sum += x[i] * (y[i] + parameters.shift * x[i]);
  }
  let total = workgroupSum(sum, lane);
  if (lane == 0u) {
    partials[group.x] = total;
  }
}

// == partials ==
// The second stage of a sum over all workgroups: each that needs the total adds the partial sums for itself, which saves a
// dispatch. The kernel declares `partials` [rows][groups] and a uniform `parameters` with `groups`.

/// The total of one row of partial sums, for every invocation of a workgroup of 256. Must be reached by all of them.
fn totalOf(row: u32, lane: u32) -> f32 {
  var sum = 0.0;
  for (var group = lane; group < parameters.groups; group += 256u) {
    sum += partials[row * parameters.groups + group];
  }
  return workgroupSum(sum, lane);
}

// == total ==
// Second stage of a separate sum: result[at] = factor · Σ partials.
// Bindings: 0 parameters, 1 partials [groups], 2 result.
// Workgroup: one, of 256.

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
