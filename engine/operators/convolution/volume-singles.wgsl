// A volume read and written number by number: of any row length.
// Bindings: 0 parameters, 1 weights (see webgpu-volume.ts), 2 input, 3 output.

alias Point = f32;
/// Numbers of a Point.
const POINT = 1u;

// The struct Parameters is made of its description in webgpu-volume.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> weights: array<vec4f>;
@group(0) @binding(2) var<storage, read> source: array<f32>;
@group(0) @binding(3) var<storage, read_write> result: array<f32>;

fn wrapOnce(at: u32) -> u32 {
  return select(at, at - parameters.n3, at >= parameters.n3);
}

/// Points x … x + 3 of the row that begins at `row`; x is in the row, and the row repeats itself.
fn quadOf(row: u32, x: u32) -> vec4f {
  return vec4f(
    source[row + x],
    source[row + wrapOnce(x + 1u)],
    source[row + wrapOnce(x + 2u)],
    source[row + wrapOnce(x + 3u)],
  );
}

/// Writes points x … x + 3 of a row, as far as it goes.
fn keepQuad(row: u32, x: u32, values: vec4f) {
  for (var k = 0u; k < 4u && x + k < parameters.n3; k++) {
    result[row + x + k] = values[k];
  }
}

/// Point k of four neighbouring numbers.
fn pointOf(values: vec4f, k: u32) -> Point {
  return values[k];
}
