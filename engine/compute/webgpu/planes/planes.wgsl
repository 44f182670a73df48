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
