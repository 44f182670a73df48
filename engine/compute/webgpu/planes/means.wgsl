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
