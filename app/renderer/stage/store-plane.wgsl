// texture(i, j) = plane[j·nx + i]
// A plane of numbers becomes the texels of an r32float texture, for widths whose rows a buffer-to-texture copy refuses.
// Bindings: 0 the plane (read), 1 the texture (write), 2 its shape: nx, ny, numbers to skip before the plane begins.
// Workgroup 16 × 4, one invocation a texel; invocations outside the plane do nothing.
@group(0) @binding(0) var<storage, read> plane: array<f32>;
@group(0) @binding(1) var texels: texture_storage_2d<r32float, write>;
@group(0) @binding(2) var<uniform> shape: vec4u;

@compute @workgroup_size(16, 4)
fn main(@builtin(global_invocation_id) at: vec3u) {
  if (at.x >= shape.x || at.y >= shape.y) {
    return;
  }
  let value = plane[shape.z + at.y * shape.x + at.x];
  textureStore(texels, at.xy, vec4f(value, 0.0, 0.0, 0.0));
}
