// Means over blocks of cells of x̄ᶠ − t, x̄ᵃ − x̄ᶠ and of a member about x̄ᶠ, beside each other: [sizeY][sizeX]. Needs
// library/index.wgsl. Workgroup: 64 invocations along the averages, folded into x and y. Boundary: guarded.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> truth: array<f32>;
@group(0) @binding(2) var<storage, read> forecast: array<f32>;
@group(0) @binding(3) var<storage, read> analysis: array<f32>;
@group(0) @binding(4) var<storage, read> member: array<f32>;
@group(0) @binding(5) var<storage, read_write> means: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups, 64u);
  if (index >= parameters.sizeX * parameters.sizeY) {
    return;
  }
  let x = (index % parameters.sizeX) * parameters.blockX;
  let y = (index / parameters.sizeX) * parameters.blockY;
  var sums = vec3f();
  for (var j = 0u; j < parameters.blockY; j++) {
    for (var i = 0u; i < parameters.blockX; i++) {
      let cell = (y + j) * parameters.nx + x + i;
      let mean = forecast[cell];
      sums += vec3f(mean - truth[cell], analysis[cell] - mean, member[cell] - mean);
    }
  }
  means[index] = vec4f(sums / f32(parameters.blockX * parameters.blockY), 0.0);
}
