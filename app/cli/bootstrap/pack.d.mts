/** As `pack.mjs` says. */
export function createReport(): {
  line(text: string): string | undefined;
  readonly missing: string | undefined;
};
