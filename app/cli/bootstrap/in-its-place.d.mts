/** How a program came to its end. */
export interface EndOfProgram {
  /** Its exit code, or 128 and the number of the signal that ended it. */
  readonly code: number;
  /** The signal that ended it; null if none did. */
  readonly signal: NodeJS.Signals | null;
  /** Whether it was handed a signal. */
  readonly interrupted: boolean;
}

/** As `in-its-place.mjs` says. */
export function runInItsPlace(
  command: string,
  args: readonly string[],
  options?: { readonly cwd?: string; readonly environment?: NodeJS.ProcessEnv },
): Promise<EndOfProgram>;
