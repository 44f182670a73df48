/** What the timeline says of the stored cycles. */

/**
 * @param cycles stored, ascending; −1 is the state before the first cycle and none itself
 * @returns `12 cycles`, or `5 of 12 cycles` where some of those that were run are not stored
 */
export function storedText(cycles: readonly number[]): string {
  const run = (cycles.at(-1) ?? -1) + 1;
  const stored = cycles.filter((cycle) => cycle >= 0).length;
  const what = run === 1 ? 'cycle' : 'cycles';
  return stored < run ? `${stored} of ${run} ${what}` : `${run} ${what}`;
}
