// The observations around a cell: itself and its eight neighbours, [member][ny][nx]. Shared by the kernels of C and P.

const NEIGHBOURS = 9u;

/// The anomaly of neighbour o of a cell, 0 beyond the edge.
fn neighbour(member: u32, cell: u32, o: u32) -> f32 {
  let x = i32(cell % parameters.nx) + i32(o % 3u) - 1;
  let y = i32(cell / parameters.nx) + i32(o / 3u) - 1;
  if (x < 0 || x >= i32(parameters.nx) || y < 0 || y >= i32(parameters.ny)) {
    return 0.0;
  }
  return anomalies[(member * parameters.ny + u32(y)) * parameters.nx + u32(x)];
}
