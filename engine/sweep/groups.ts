/**
 * Cases that differ in the settings of their methods alone have the same truth, background, observations and free run: they are run
 * as one experiment with all of their methods. How cases are grouped changes no number, and says what is lost together
 * when a process is.
 */
import { estimateMemory, type Scenario } from '../scenario/index.ts';
import type { PlannedCase, SweepPlan } from './plan.ts';

/** Cases that one experiment runs at most: what sharing saves is nearly all saved, and no more than these are lost together. */
const MOST_TOGETHER = 8;
/** What such an experiment may hold, bytes: 2 GiB. A case that needs more by itself runs by itself. */
const MOST_BYTES = 2 ** 31;
/** Bytes of a real if the model steps on the host, the most that there are. */
const ELEMENT_BYTES = 8;

export interface GroupLimits {
  /** Cases in a group at most. */
  readonly most?: number;
  /** What its experiment may hold. */
  readonly bytes?: number;
}

type Method = Scenario['methods'][number];

/** The experiment of several cases. */
export interface SharedExperiment {
  /** With every distinct method of theirs, once each, under labels of its own. */
  readonly scenario: Scenario;
  /** What the random streams of a method are named by, by its label here: its label in the case. */
  readonly streamNameOf: (label: string) => string;
  /** By case, the label here of each of its methods, by its label in the case. */
  readonly labels: readonly ReadonlyMap<string, string>[];
}

/**
 * @param cases that have all but their methods in common, one at least
 * @returns the experiment that runs them all: of one case its own scenario
 */
export function shareExperiment(cases: readonly PlannedCase[]): SharedExperiment {
  const [{ scenario }] = cases;
  if (cases.length === 1) {
    const own = new Map(cases[0].methods.map((label) => [label, label]));
    return { scenario, streamNameOf: (label) => label, labels: [own] };
  }
  const methods: Method[] = [];
  const bySettings = new Map<string, string>();
  const streams = new Map<string, string>();
  const labels = cases.map(({ scenario: { methods: own }, methods: wanted }) => {
    const chosen = own.filter(({ label }) => wanted.includes(label));
    return new Map(
      chosen.map((method): [string, string] => {
        const settings = JSON.stringify(method);
        const known = bySettings.get(settings);
        if (known !== undefined) return [method.label, known];
        const label = `${methods.length} ${method.label}`;
        bySettings.set(settings, label);
        streams.set(label, method.label);
        methods.push({ ...method, label });
        return [method.label, label];
      }),
    );
  });
  return { scenario: { ...scenario, methods }, streamNameOf: (label) => streams.get(label) ?? label, labels };
}

/** Whether cases have room beside one another. */
function fits(cases: readonly PlannedCase[], bytes: number): boolean {
  return estimateMemory(shareExperiment(cases).scenario, ELEMENT_BYTES) <= bytes;
}

/**
 * Groups cases that share their world and seed.
 *
 * @param wanted indices of cases, ascending
 * @returns indices of the cases of each group, in the order of their first ones
 */
export function groupCases(
  plan: SweepPlan,
  wanted: Iterable<number>,
  { most = MOST_TOGETHER, bytes = MOST_BYTES }: GroupLimits = {},
): readonly (readonly number[])[] {
  const { seeds, worlds } = plan;
  const together = new Map<number, number[]>();
  const groups: number[][] = [];
  const room = new Map<number, number>();
  for (const index of wanted) {
    const world = worlds[Math.floor(index / seeds.length)];
    const key = world * seeds.length + (index % seeds.length);
    const open = together.get(key);
    if (open && !room.has(world)) room.set(world, roomOf(plan.caseAt(open[0]), plan.caseAt(index), bytes));
    if (open && open.length < Math.min(most, room.get(world) ?? 1)) open.push(index);
    else {
      const group = [index];
      together.set(key, group);
      groups.push(group);
    }
  }
  return groups;
}

/** @returns how many cases of a world fit together, where each further one needs as much as the second */
function roomOf(first: PlannedCase, second: PlannedCase, bytes: number): number {
  // Interventions name methods by their index, which others beside them would change.
  if (first.scenario.interventions.length > 0) return 1;
  const company = [first];
  while (company.length < MOST_TOGETHER) {
    company.push(renamed(second, company.length));
    if (!fits(company, bytes)) return company.length - 1;
  }
  return MOST_TOGETHER;
}

/** The same case with methods that are taken for others. */
function renamed(planned: PlannedCase, n: number): PlannedCase {
  const rename = (label: string): string => `${label} ${n}`;
  const methods = planned.scenario.methods.map((method) => ({ ...method, label: rename(method.label) }));
  return { ...planned, scenario: { ...planned.scenario, methods }, methods: planned.methods.map(rename) };
}
