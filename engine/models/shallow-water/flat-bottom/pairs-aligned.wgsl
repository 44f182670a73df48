// The state where each row has an even number of cells: the two of an invocation lie in one vector.

@group(0) @binding(5) var<storage, read> before: array<vec2f>;
@group(0) @binding(6) var<storage, read_write> after: array<vec2f>;

/// h, hu, hv of the cells at columns `i` and `i + 1` of the row that begins at `start`.
fn pairBefore(start: u32, i: u32) -> mat3x2f {
  let place = (start + i) / 2u;
  let cells = basin.nx * basin.ny / 2u;
  return mat3x2f(before[place], before[place + cells], before[place + 2u * cells]);
}

fn cellBefore(place: u32) -> vec3f {
  let cells = basin.nx * basin.ny / 2u;
  let at = place / 2u;
  let side = place % 2u;
  return vec3f(before[at][side], before[at + cells][side], before[at + 2u * cells][side]);
}

fn storePair(place: u32, i: u32, a: vec3f, b: vec3f) {
  let at = place / 2u;
  let cells = basin.nx * basin.ny / 2u;
  after[at] = vec2f(a.x, b.x);
  after[at + cells] = vec2f(a.y, b.y);
  after[at + 2u * cells] = vec2f(a.z, b.z);
}
