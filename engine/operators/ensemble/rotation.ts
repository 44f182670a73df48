/** Random rotations of an ensemble that change neither its mean nor its covariance. */

/**
 * A random orthogonal k × k matrix U with U·1 = 1 and Uᵀ·1 = 1, uniformly distributed among them: in a basis whose first
 * vector is 1/√k it is 1 beside the orthogonal factor Q of a (k − 1) × (k − 1) Gaussian matrix (with R's diagonal positive).
 *
 * @param gaussians at least (k − 1)² independent standard normal numbers
 * @returns [k][k]
 * @throws RangeError when there are too few
 */
export function meanPreservingRotation(k: number, gaussians: ArrayLike<number>): Float64Array {
  const inner = k - 1;
  if (gaussians.length < inner * inner) {
    throw new RangeError(`${gaussians.length} gaussians given, a rotation of ${k} members needs ${inner * inner}`);
  }
  const rotation = new Float64Array(k * k);
  rotation[0] = 1;
  const q = orthonormalRows(inner, gaussians);
  for (let i = 0; i < inner; i++) rotation.set(q.subarray(i * inner, (i + 1) * inner), (i + 1) * k + 1);
  if (k > 1) {
    // The reflection that takes (1, 0, …, 0) to 1/√k · (1, …, 1), from both sides.
    const v = new Float64Array(k).fill(-1 / Math.sqrt(k));
    v[0] += 1;
    reflect(rotation, v, k, k, 1);
    reflect(rotation, v, k, 1, k);
  }
  return rotation;
}

/** Gram–Schmidt, twice for orthogonality to rounding; rows of a Gaussian matrix are independent with probability 1. */
function orthonormalRows(size: number, values: ArrayLike<number>): Float64Array {
  const rows = Float64Array.from({ length: size * size }, (_, at) => values[at]);
  for (let i = 0; i < size; i++) {
    const row = rows.subarray(i * size, (i + 1) * size);
    for (let pass = 0; pass < 2; pass++) {
      for (let j = 0; j < i; j++) {
        const earlier = rows.subarray(j * size, (j + 1) * size);
        let projection = 0;
        for (let c = 0; c < size; c++) projection += row[c] * earlier[c];
        for (let c = 0; c < size; c++) row[c] -= projection * earlier[c];
      }
      const norm = Math.hypot(...row);
      for (let c = 0; c < size; c++) row[c] /= norm;
    }
  }
  return rows;
}

/** Every line ← (I − 2vvᵀ/vᵀv) line, in place; lines and their elements are strides apart. */
function reflect(matrix: Float64Array, v: Float64Array, k: number, lineStride: number, stride: number): void {
  let square = 0;
  for (let i = 0; i < k; i++) square += v[i] * v[i];
  for (let line = 0; line < k; line++) {
    let projection = 0;
    for (let i = 0; i < k; i++) projection += v[i] * matrix[line * lineStride + i * stride];
    for (let i = 0; i < k; i++) matrix[line * lineStride + i * stride] -= (2 * projection * v[i]) / square;
  }
}
