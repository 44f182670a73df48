// texture(i, j) = weightA·a[j·nx + i] + weightB·b[j·nx + i]
// Two planes of numbers, weighted, become the texels of an r32float texture: water between two moments; and, with the weights
// 1 and 0, a plane whose rows a buffer-to-texture copy refuses by their width.
// Bindings: 0 and 1 the planes (read), 2 the texture (write), 3 their shape and the weights. Workgroup 16 × 4, one invocation a texel; invocations outside the planes do nothing.

// The struct Shape is made of its description in plane-textures.ts.
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
