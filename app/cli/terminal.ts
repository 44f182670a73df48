/**
 * Where a command's words go. The result goes to stdout; everything else (progress, notes, warnings, errors) to stderr, so
 * that stdout can be piped. With `--json` stdout carries one JSON document and nothing else. Names of files and methods
 * are in the lines: a control character in one is shown, and the terminal does not obey it.
 */
import { visible } from '../../engine/index.ts';

/** The part of a stream that is used. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface Terminal {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Whether a progress bar may be drawn. */
  readonly showsProgress: boolean;
  /** A line of the result, for people; silent with --json. */
  print(text: string): void;
  /** The result as one JSON document; silent without --json. */
  printJson(value: unknown): void;
  /** A line beside the result; silent with --quiet. */
  note(text: string): void;
  /** A line that is said even with --quiet. */
  warn(text: string): void;
}

/** Lines stay lines; what is in them is visible. */
function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

export function createTerminal(
  options: { readonly json?: boolean | string; readonly quiet?: boolean; readonly verbose?: boolean },
  stdout: Output,
  stderr: Output,
): Terminal {
  const { quiet = false, verbose = false } = options;
  const json = options.json === true || options.json === '-';
  const isTerminal = stderr.isTTY === true;
  const line = (output: Output, text: string) => void output.write(`${text}\n`);
  return {
    json,
    quiet,
    verbose,
    stdout,
    stderr,
    showsProgress: isTerminal && !quiet,
    print: (text) => {
      if (!json) line(stdout, visibleLines(text));
    },
    printJson: (value) => {
      if (json) line(stdout, JSON.stringify(value, null, 2));
    },
    note: (text) => {
      if (!quiet) line(stderr, visibleLines(text));
    },
    warn: (text) => line(stderr, visibleLines(text)),
  };
}
