/** Values of a scenario by path, and changed copies of it. A file's defaults are omitted, so that a value may be absent. */

import type { Path } from '../../engine/index.ts';

export { formatPath, parsePath, type Path } from '../../engine/index.ts';

/** @returns the value at a path, or undefined */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** A copy with another value at a path; sections that are missing on the way are added. */
export function withValue(root: unknown, path: Path, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (typeof key === 'number' || Array.isArray(root)) {
    const list = Array.isArray(root) ? [...(root as unknown[])] : [];
    list[Number(key)] = withValue(list[Number(key)], rest, value);
    return list;
  }
  const record: Record<string, unknown> = typeof root === 'object' && root !== null ? { ...root } : {};
  record[key] = withValue(record[key], rest, value);
  return record;
}

/** A copy without the value at a path: its default holds again. Entries of lists close up. */
export function withoutValue(root: unknown, path: Path): unknown {
  const last = path.at(-1);
  if (last === undefined) return root;
  const around = path.slice(0, -1);
  const parent = valueAt(root, around);
  if (Array.isArray(parent)) {
    return withValue(
      root,
      around,
      (parent as unknown[]).filter((_, index) => index !== last),
    );
  }
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, last)) return root;
  const { [last]: _left, ...rest } = parent as Record<string, unknown>;
  return withValue(root, around, rest);
}

/** @returns words as a shell takes them, to be copied from a terminal */
export function shellWords(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(' ');
}
