// What the kernels of the schemes for a flat bottom share: their bindings, and how a cell is written.
// Bindings: stepping.wgsl, basin, sources, before, after. Workgroups: 32 × 4 invocations along x and y, members along z.

/// Rows that an invocation steps.
override ROWS: u32 = 4u;

@group(0) @binding(4) var<uniform> basin: Basin;
@group(0) @binding(5) var<storage, read> sources: array<u32>;
@group(0) @binding(6) var<storage, read> before: array<f32>;
@group(0) @binding(7) var<storage, read_write> after: array<f32>;

/// Length of the step, read once for all.
var<workgroup> seconds: f32;

/// Writes a cell, and says what is wrong with it and how fast its waves are.
fn keep(member: u32, cell: u32, start: vec3f, stepped: vec3f, dt: f32) {
  let cells = basin.nx * basin.ny;
  // Without a step the state is handed through as it is: what is wrong with it may not be finite.
  let result = select(start, stepped, dt > 0.0);
  let place = member * 3u * cells + cell;
  after[place] = result.x;
  after[place + cells] = result.y;
  after[place + 2u * cells] = result.z;
  if (dt > 0.0 && faultOf(basin, result, 0.0, false).found) {
    recordFault(member * cells + cell);
  }
  if (stepping.automatic != 0u) {
    raiseRate(waveRate(basin, result.x, result.y, result.z));
  }
}
