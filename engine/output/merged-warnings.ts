/** The warnings of a run, those that repeat from cycle to cycle as one with a count. */

const MORE = / \(and (\d+) more like it\)$/;

/** @returns a warning without the numbers that differ from one cycle to another; one that names no cycle as it is */
export function warningShape(message: string): string {
  const [before, ...after] = message.replace(MORE, '').split(/\bcycle \d+/);
  return [before, ...after.map((text) => text.replaceAll(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/g, '#'))].join('cycle #');
}

/** @returns the warnings with another one: one that is there already, but for its numbers, is counted */
export function withWarning(warnings: readonly string[], message: string): readonly string[] {
  const shape = warningShape(message);
  const same = warnings.findIndex((each) => warningShape(each) === shape);
  if (same < 0) return [...warnings, message];
  const known = warnings[same];
  // Of a setting it is enough to be said once.
  if (shape === message) return warnings;
  const count = Number(MORE.exec(known)?.[1] ?? 0) + 1;
  return warnings.with(same, `${known.replace(MORE, '')} (and ${count} more like it)`);
}
