// Second stage: the extremes of all parts of a variable, as the bits of numbers. Needs extremes-library.wgsl.
// Workgroup: 256 invocations for a variable. Boundary: by the loop.

// The struct Parameters is made of its description in webgpu-extremes.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> parts: array<Extremes>;
@group(0) @binding(2) var<storage, read_write> minimum: array<u32>;
@group(0) @binding(3) var<storage, read_write> maximum: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) variable: vec3u, @builtin(local_invocation_index) lane: u32) {
  var own = NONE;
  for (var part = lane; part < parameters.parts; part += 256u) {
    own = merged(own, parts[variable.x * parameters.parts + part]);
  }
  let found = workgroupExtremes(own, lane);
  if (lane == 0u) {
    minimum[variable.x] = bitsOf(found.minimum);
    maximum[variable.x] = bitsOf(found.maximum);
  }
}
