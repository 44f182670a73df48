/** Order statistics without sorting: the k-th smallest number of a sample, in time that grows as the sample does (Hoare’s quickselect). */

/**
 * Finds the k-th smallest number. The sample is reordered: what comes before k is not larger, what comes after it is not smaller.
 *
 * @param values none of them NaN
 * @param k from 0; the sample's length is larger
 */
export function selectInPlace(values: Float64Array, k: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1];
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i] < pivot) i++;
      while (values[j] > pivot) j--;
      if (i > j) break;
      const larger = values[i];
      values[i] = values[j];
      values[j] = larger;
      i++;
      j--;
    }
    if (k <= j) high = j;
    else if (k >= i) low = i;
    else break;
  }
  return values[k];
}
