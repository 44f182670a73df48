// A volume read and written four numbers at a time: of rows whose length is a multiple of four.
// Bindings: 0 parameters, 1 weights (see webgpu-volume.ts), 2 input, 3 output.

alias Point = vec4f;
/// Numbers of a Point.
const POINT = 4u;

// The struct Parameters is made of its description in webgpu-volume.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> weights: array<vec4f>;
@group(0) @binding(2) var<storage, read> source: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> result: array<vec4f>;

/// Points x … x + 3 of the row that begins at `row`; x is in the row, and both are multiples of four.
fn quadOf(row: u32, x: u32) -> vec4f {
  return source[(row + x) / 4u];
}

/// Writes points x … x + 3 of a row, if they are in it.
fn keepQuad(row: u32, x: u32, values: vec4f) {
  if (x < parameters.n3) {
    result[(row + x) / 4u] = values;
  }
}

/// Point k of four neighbouring numbers, which are one.
fn pointOf(values: vec4f, k: u32) -> Point {
  return values;
}
