/** How a command comes into the program: with what carries it out, loaded when it is called. */
import type { Command } from 'commander';
import type { CommonOptions, Context, ExitCode } from '../context.ts';

type Action<Options> = (context: Context, given: readonly string[], options: Options) => Promise<ExitCode>;

/** Loads what carries a command out. */
export type Load<Options> = () => Promise<{ readonly default: Action<Options> }>;

/** Adds a command whose action gets its arguments as one list. */
export type AddCommand = <Options extends CommonOptions>(command: Command, load: Load<Options>) => void;
