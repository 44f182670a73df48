// Kernels of the planes.

// == blend ==
// texture(i, j) = weightA·a[j·nx + i] + weightB·b[j·nx + i]
// Two planes of numbers, weighted, become the texels of an r32float texture: water between two moments; and, with the weights
// 1 and 0, a plane whose rows a buffer-to-texture copy refuses by their width.
// Bindings: 0 and 1 the planes (read), 2 the texture (write), 3 their shape and the weights. Workgroup 16 × 4, one invocation a texel; invocations outside the planes do nothing.

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var texels: texture_storage_2d<r32float, write>;
@group(0) @binding(3) var<uniform> shape: Shape;

@compute @workgroup_size(16, 4)
fn main(@builtin(global_invocation_id) at: vec3u) {
  if (at.x >= shape.nx || at.y >= shape.ny) {
    return;
  }
  let cell = at.y * shape.nx + at.x;
  let value = shape.weightA * a[shape.skipA + cell] + shape.weightB * b[shape.skipB + cell];
  textureStore(texels, at.xy, vec4f(value, 0.0, 0.0, 0.0));
}

// == gather ==
// gathered[k] = plane[cells[k]]
// Numbers of a plane at some of its cells, one after the other, so that a line through a plane is read back and not the plane.
// Bindings: 0 the plane (read), 1 the cells (read), 2 the numbers (write). One workgroup of 64 for 64 cells; invocations
// beyond the last cell do nothing, and the host asks for no cell outside the plane.
@group(0) @binding(0) var<storage, read> plane: array<f32>;
@group(0) @binding(1) var<storage, read> cells: array<u32>;
@group(0) @binding(2) var<storage, read_write> gathered: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) at: vec3u) {
  if (at.x >= arrayLength(&cells)) {
    return;
  }
  gathered[at.x] = plane[cells[at.x]];
}

// == means ==
// means[block] = mean over the block's cells of plane, or of plane - minus
// Bindings: 0 the plane (read), 1 what is subtracted (read), 2 the blocks, 3 the means (write), [row][column]. One workgroup of 64
// for 64 blocks; invocations beyond the last block do nothing. Cells beyond the last whole block belong to none.
@group(0) @binding(0) var<storage, read> plane: array<f32>;
@group(0) @binding(1) var<storage, read> minus: array<f32>;
@group(0) @binding(2) var<uniform> blocks: Blocks;
@group(0) @binding(3) var<storage, read_write> means: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) at: vec3u) {
  if (at.x >= arrayLength(&means)) {
    return;
  }
  let corner = at.x / blocks.columns * blocks.y * blocks.nx + at.x % blocks.columns * blocks.x;
  var sum = 0.0;
  for (var j = 0u; j < blocks.y; j++) {
    for (var i = 0u; i < blocks.x; i++) {
      let cell = corner + j * blocks.nx + i;
      sum += plane[cell] - select(0.0, minus[cell], blocks.subtracts != 0u);
    }
  }
  means[at.x] = sum / f32(blocks.x * blocks.y);
}
