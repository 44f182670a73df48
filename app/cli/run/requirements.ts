/** What a run will need of this machine: checked before it has a folder, and reported before it starts. */
import { totalmem } from 'node:os';
import {
  DEFAULT_MEMORY_BYTES,
  checkEffort,
  checkMemory,
  cyclesOf,
  describeEffort,
  estimateEffort,
  estimateMemory,
} from '../../../engine/index.ts';
import type { Backend, Scenario } from '../../../engine/index.ts';

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
