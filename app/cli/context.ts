/** What a command gets from the process it runs in, so that a test can give it something else. */
import { visible } from '../../engine/index.ts';

/**
 * Where a command's words go. The result goes to stdout; everything else (progress, notes, warnings, errors) to stderr, so
 * that stdout can be piped. With `--json` stdout carries one JSON document and nothing else. Names of files and methods
 * are in the lines: a control character in one is shown, and the terminal does not obey it.
 *
 * The part of a stream that is used.
 */
interface Output {
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

/** Folder of this program, given by the bootstrap. */
export interface Installation {
  /** The folder of package.json. */
  readonly root: string;
  /** The folder of the bundle that runs. */
  readonly bundleFolder: string;
  /** The script that starts the program again. */
  readonly launcher: string;
  /** Whether it was installed as a package, with everything built; otherwise it is a checkout. */
  readonly isPackage?: boolean;
}

/** The options that every command has. */
export interface CommonOptions {
  /** On stdout; or the file it goes to, `-` being stdout, where the command has that. */
  readonly json?: boolean | string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

export interface Context {
  readonly terminal: Terminal;
  readonly installation: Installation;
  /** The arguments after the program's name, as given. */
  readonly argv: readonly string[];
}

/** Exit codes of every command. */
export const EXIT = {
  done: 0,
  /** It ran, but a check or a run failed. */
  failed: 1,
  /** Bad usage or bad input. */
  badInput: 2,
  /** Stopped by Ctrl-C, as shells number it: 128 + SIGINT. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
