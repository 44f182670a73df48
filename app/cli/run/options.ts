/** What `shoal run` is asked for, which methods that selects, and what it will need of this machine. */
import type { BackendChoice, Backend, Scenario } from '../../../engine/index.ts';
import type { CommonOptions } from '../context.ts';
import { totalmem } from 'node:os';
import {
  DEFAULT_MEMORY_BYTES,
  checkEffort,
  checkMemory,
  cyclesOf,
  describeEffort,
  estimateEffort,
  estimateMemory,
  nearest,
} from '../../../engine/index.ts';
import { UsageError } from '../failure.ts';

/**
 * @returns labels of the methods that names select, in the scenario's order; undefined for all
 * @throws UsageError for a name that is neither label nor kind
 */
export function selectMethods({ methods }: Scenario, names: readonly string[] | undefined): string[] | undefined {
  if (!names) return undefined;
  for (const name of names) {
    if (methods.some(({ label, kind }) => name === label || name === kind)) continue;
    const known = [...new Set(methods.flatMap(({ label, kind }) => [label, kind]))];
    const near = nearest(name, known);
    const hint = near === undefined ? '' : ` (did you mean ${near}?)`;
    throw new UsageError(`--method ${name}: the scenario has no such method; it has ${known.join(', ')}${hint}`);
  }
  return methods.filter(({ label, kind }) => names.includes(label) || names.includes(kind)).map(({ label }) => label);
}

/** @throws LimitError when this machine has not the memory, or the run would take more than a day and is not to */
export function checkRequirements(
  scenario: Scenario,
  { name, elementBytes }: Backend,
  methods: readonly string[] | undefined,
  allowLong: boolean,
): void {
  const machine = totalmem();
  // A GPU does not report its memory: assume that of a small one, or that of the machine.
  checkMemory(scenario, elementBytes, name !== 'webgpu' ? machine : Math.max(machine, DEFAULT_MEMORY_BYTES));
  if (!allowLong) checkEffort(estimateEffort(scenario, methods), name, 'start it with --allow-long');
}

/** @returns cells, members, methods and cycles, and about how much memory and time they take, on one line */
export function describeRequirements(
  scenario: Scenario,
  { name, elementBytes }: Backend,
  methods: readonly string[] | undefined,
): string {
  const { grid, background } = scenario;
  const mebibytes = Math.ceil(estimateMemory(scenario, elementBytes) / 2 ** 20);
  const count = methods?.length ?? scenario.methods.length;
  const size = `${grid.nx} × ${grid.ny} cells, ${background.members} members, ${count} ${count === 1 ? 'method' : 'methods'}`;
  const effort = describeEffort(estimateEffort(scenario, methods), name);
  const cycles = cyclesOf(scenario);
  return `${scenario.name}: ${size}, ${cycles} ${cycles === 1 ? 'cycle' : 'cycles'}; about ${mebibytes} MiB; ${effort}`;
}

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
  /** Records what observations change about the forecast so many cycles later. */
  readonly impact?: number;
  /** Also a run that is estimated to take more than a day. */
  readonly allowLong?: boolean;
}
