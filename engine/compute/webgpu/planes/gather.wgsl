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
