/** Plain matrix algebra for the tests of operators on ensembles. */

/** Product of row-major matrices a [rows][inner] and b [inner][columns]. */
export function product(a: ArrayLike<number>, b: ArrayLike<number>, rows: number, inner: number): Float64Array {
  const columns = b.length / inner;
  return Float64Array.from({ length: rows * columns }, (_, at) => {
    let sum = 0;
    for (let t = 0; t < inner; t++) sum += a[Math.floor(at / columns) * inner + t] * b[t * columns + (at % columns)];
    return sum;
  });
}

export function transpose(a: ArrayLike<number>, rows: number): Float64Array {
  const columns = a.length / rows;
  return Float64Array.from({ length: a.length }, (_, at) => a[(at % rows) * columns + Math.floor(at / rows)]);
}
