/** What a command gets from the process it runs in, so that a test can give it something else. */
import type { Terminal } from './terminal.ts';

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
