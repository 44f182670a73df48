// The state where a row has an odd number of cells: pairs begin anywhere, and the last of a row is a single cell.

@group(0) @binding(5) var<storage, read> before: array<f32>;
@group(0) @binding(6) var<storage, read_write> after: array<f32>;

/// h, hu, hv of the cells at columns `i` and `i + 1` of the row that begins at `start`; the second may lie beyond the grid.
fn pairBefore(start: u32, i: u32) -> mat3x2f {
  let second = sourceOf(i32(i) + 1, basin.nx, basin.boundaryX);
  let a = cellBefore(start + i);
  let b = cellBefore(start + second.cell);
  return mat3x2f(vec2f(a.x, b.x), vec2f(a.y, second.sign * b.y), vec2f(a.z, b.z));
}

fn cellBefore(place: u32) -> vec3f {
  let cells = basin.nx * basin.ny;
  return vec3f(before[place], before[place + cells], before[place + 2u * cells]);
}

fn storePair(place: u32, i: u32, a: vec3f, b: vec3f) {
  store(place, a);
  if (i + 1u < basin.nx) {
    store(place + 1u, b);
  }
}

fn store(place: u32, q: vec3f) {
  let cells = basin.nx * basin.ny;
  after[place] = q.x;
  after[place + cells] = q.y;
  after[place + 2u * cells] = q.z;
}
