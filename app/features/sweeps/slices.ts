/** Long work in short slices, so that the page answers its person in between. */

/** Milliseconds after which the page has its turn. */
const SLICE = 12;

export interface SliceOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds of a clock. */
  readonly now?: () => number;
  /** Lets the page have its turn. */
  readonly rest?: () => Promise<void>;
}

function restOfPage(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/**
 * @param make what is wanted by number, each a matter of a millisecond or less
 * @returns all of them; undefined when it was aborted
 */
export async function inSlices<Result>(
  count: number,
  make: (number: number) => Result,
  { signal, now = () => performance.now(), rest = restOfPage }: SliceOptions = {},
): Promise<Result[] | undefined> {
  const results: Result[] = [];
  while (results.length < count) {
    await rest();
    if (signal?.aborted === true) return undefined;
    const end = now() + SLICE;
    do results.push(make(results.length));
    while (results.length < count && now() < end);
  }
  return results;
}
