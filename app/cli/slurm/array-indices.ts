/** Indices of an array's tasks as Slurm writes them: `0-3,7,10-20:2`, and behind a pending array's how many run at once, `%4`. */

/** Arrays of this program have fewer; a longer list is none of its own. */
const MOST_INDICES = 100_000;

/** @returns whole numbers, ascending and each once, in as few words as ranges allow: `0-3,7` */
export function formatIndices(indices: readonly number[]): string {
  const words: string[] = [];
  for (let first = 0; first < indices.length;) {
    let last = first;
    while (last + 1 < indices.length && indices[last + 1] === indices[last] + 1) last += 1;
    words.push(first === last ? String(indices[first]) : `${indices[first]}-${indices[last]}`);
    first = last + 1;
  }
  return words.join(',');
}

/** @returns undefined for what is no list of indices */
export function parseIndices(text: string): number[] | undefined {
  const indices: number[] = [];
  for (const word of text.replace(/%\d+$/, '').split(',')) {
    const [, first, last = first, step = '1'] = /^(\d+)(?:-(\d+)(?::(\d+))?)?$/.exec(word) ?? [];
    if (first === undefined || Number(step) < 1) return undefined;
    for (let index = Number(first); index <= Number(last); index += Number(step)) {
      if (indices.push(index) > MOST_INDICES) return undefined;
    }
  }
  return indices;
}
