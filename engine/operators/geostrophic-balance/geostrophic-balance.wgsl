// Geostrophic balance of an increment, and its adjoint:
//   forward: out = (s, hu - c ds/dy, hv + c ds/dx);  adjoint: out = (s - Dy'(c hu) + Dx'(c hv), hu, hv).
// Workgroup: 16 x 16 cells. Boundary: centred differences, one-sided at walls, wrapped on periodic axes.

/// Weight with which the derivative at row j takes its neighbour j + offset (see index.ts).
fn differenceWeight(j: i32, offset: i32, n: i32, periodic: bool) -> f32 {
  if (periodic || (j > 0 && j < n - 1)) {
    return 0.5 * f32(offset);
  }
  if (n == 1) {
    return 0.0;
  }
  if (j == 0) {
    return select(select(0.0, -1.0, offset == 0), 1.0, offset == 1);
  }
  return select(select(0.0, -1.0, offset == -1), 1.0, offset == 0);
}

fn reaches(i: i32, n: i32, periodic: bool) -> bool {
  return periodic || (i >= 0 && i < n);
}

fn wrap(i: i32, n: i32) -> i32 {
  return (i + n) % n;
}

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = i32(id.x);
  let j = i32(id.y);
  let nx = i32(parameters.nx);
  let ny = i32(parameters.ny);
  if (i >= nx || j >= ny) {
    return;
  }
  let n = nx * ny;
  let cell = j * nx + i;
  let periodicX = parameters.periodicX == 1u;
  let periodicY = parameters.periodicY == 1u;
  var sumX = 0.0;
  var sumY = 0.0;
  if (parameters.transpose == 1u) {
    for (var d = -1; d <= 1; d++) {
      if (reaches(i - d, nx, periodicX)) {
        let row = wrap(i - d, nx);
        let source = j * nx + row;
        sumX += differenceWeight(row, d, nx, periodicX) * coefficient[source] * input[2 * n + source];
      }
      if (reaches(j - d, ny, periodicY)) {
        let row = wrap(j - d, ny);
        let source = row * nx + i;
        sumY += differenceWeight(row, d, ny, periodicY) * coefficient[source] * input[n + source];
      }
    }
    output[cell] = input[cell] - sumY * parameters.perDy + sumX * parameters.perDx;
    output[n + cell] = input[n + cell];
    output[2 * n + cell] = input[2 * n + cell];
    return;
  }
  for (var d = -1; d <= 1; d++) {
    if (reaches(i + d, nx, periodicX)) {
      sumX += differenceWeight(i, d, nx, periodicX) * input[j * nx + wrap(i + d, nx)];
    }
    if (reaches(j + d, ny, periodicY)) {
      sumY += differenceWeight(j, d, ny, periodicY) * input[wrap(j + d, ny) * nx + i];
    }
  }
  output[cell] = input[cell];
  output[n + cell] = input[n + cell] - coefficient[cell] * sumY * parameters.perDy;
  output[2 * n + cell] = input[2 * n + cell] + coefficient[cell] * sumX * parameters.perDx;
}
