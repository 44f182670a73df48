/** @returns [columns][rows] of an array [rows][columns] */
export function transpose(values: Float64Array, rows: number, columns: number): Float64Array {
  const transposed = new Float64Array(values.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) transposed[column * rows + row] = values[row * columns + column];
  }
  return transposed;
}
