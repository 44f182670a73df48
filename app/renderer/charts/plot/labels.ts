/** Where labels at the ends of lines go, so that they neither overlap nor leave the plot. */

export interface LabelPlace {
  readonly key: string;
  /** Where its line ends, pixels from the top. */
  readonly wanted: number;
}

/**
 * Moves labels apart by as little as it takes, in the order of their lines' ends.
 * @param height of a label, pixels
 * @param top and bottom that labels' middles keep within; when there are too many, they overlap evenly
 * @returns the middle of each label by key, pixels from the top
 */
export function placeLabels(
  labels: readonly LabelPlace[],
  height: number,
  top: number,
  bottom: number,
): ReadonlyMap<string, number> {
  const sorted = [...labels].sort((a, b) => a.wanted - b.wanted);
  const gap = sorted.length > 1 ? Math.min(height, (bottom - top) / (sorted.length - 1)) : height;
  const places: number[] = [];
  sorted.forEach(({ wanted }, index) => {
    const lowest = index === 0 ? top : places[index - 1] + gap;
    places.push(Math.max(lowest, wanted));
  });
  let limit = bottom;
  for (let index = places.length - 1; index >= 0; index--) {
    places[index] = Math.max(top, Math.min(places[index], limit));
    limit = places[index] - gap;
  }
  return new Map(sorted.map(({ key }, index) => [key, places[index]]));
}
