// Means over blocks of cells of x̄ᶠ − t, x̄ᵃ − t, x̄ᵃ − x̄ᶠ and of a member about x̄ᶠ: [4][sizeY][sizeX]. Needs library/index.wgsl.
// Workgroup: 64 invocations along the averages, folded into x and y; z is the difference. Boundary: guarded.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> truth: array<f32>;
@group(0) @binding(2) var<storage, read> forecast: array<f32>;
@group(0) @binding(3) var<storage, read> analysis: array<f32>;
@group(0) @binding(4) var<storage, read> member: array<f32>;
@group(0) @binding(5) var<storage, read_write> means: array<f32>;

fn differenceAt(spectrum: u32, cell: u32) -> f32 {
  switch spectrum {
    case 0u: { return forecast[cell] - truth[cell]; }
    case 1u: { return analysis[cell] - truth[cell]; }
    case 2u: { return analysis[cell] - forecast[cell]; }
    default: { return member[cell] - forecast[cell]; }
  }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups, 64u);
  let averages = parameters.sizeX * parameters.sizeY;
  if (index >= averages) {
    return;
  }
  let x = (index % parameters.sizeX) * parameters.blockX;
  let y = (index / parameters.sizeX) * parameters.blockY;
  var sum = 0.0;
  for (var j = 0u; j < parameters.blockY; j++) {
    for (var i = 0u; i < parameters.blockX; i++) {
      sum += differenceAt(id.z, (y + j) * parameters.nx + x + i);
    }
  }
  means[id.z * averages + index] = sum / f32(parameters.blockX * parameters.blockY);
}
