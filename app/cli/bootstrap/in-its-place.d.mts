export interface EndOfProgram {
  readonly code: number;
  readonly signal: NodeJS.Signals | null;
  /** Whether it was handed a signal. */
  readonly interrupted: boolean;
}

export function runInItsPlace(
  command: string,
  args: readonly string[],
  options?: { readonly cwd?: string; readonly environment?: NodeJS.ProcessEnv },
): Promise<EndOfProgram>;
