/** Blocks a line is cut into, and the points each is extended by; a line left whole is one block without overlap. */
export interface Blocks {
  readonly count: number;
  readonly overlap: number;
}

/** @returns points that are swept for each point of a line: more than one where blocks overlap */
export function sweptShare(length: number, { count, overlap }: Blocks): number {
  return (length + 2 * overlap * count) / length;
}

/** Where block `index` of a line of `length` points starts, and how many it holds: the first r = length mod count one more. */
export function blockRange(
  length: number,
  count: number,
  index: number,
): { readonly start: number; readonly size: number } {
  const size = Math.floor(length / count);
  const longer = length % count;
  return { start: index * size + Math.min(index, longer), size: index < longer ? size + 1 : size };
}
