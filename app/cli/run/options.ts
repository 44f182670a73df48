/** What `shoal run` is asked for. */
import type { BackendChoice } from '../../../engine/index.ts';
import type { CommonOptions } from '../context.ts';

export interface RunOptions extends CommonOptions {
  readonly backend: BackendChoice;
  /** Threads of the `wasm` backend; default: as many as the machine has. */
  readonly threads?: number;
  readonly method?: readonly string[];
  readonly out?: string;
  readonly set?: readonly string[];
  readonly seed?: number;
  /** Runs the scenario with each of them, as a sweep. */
  readonly seeds?: readonly number[];
  /** Processes; only with `seeds`. One for each core if omitted. */
  readonly workers?: number;
  readonly resume?: boolean;
  /** Name of a branch, or its number, counted from 1: it is run alone. */
  readonly branch?: string;
  /** The scenario's own run and all of its branches. */
  readonly branches?: boolean;
  /** Whether the states of its cycles are kept, and with those of members. */
  readonly fields?: 'mean' | 'members' | 'none';
  /** From 0; all if omitted. */
  readonly members?: readonly number[];
  /** Keeps every n-th cycle only. */
  readonly every?: number;
  /** Also a run that is estimated to take more than a day. */
  readonly allowLong?: boolean;
}
