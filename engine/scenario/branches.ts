/** Runs beside the scenario's own that leave it at a cycle: each as a scenario that gives its numbers alone. */
import { describeValue, tidy, type Problem } from '../settings/index.ts';
import { cyclesOf, scenarioBefore, describeIntervention } from './changes.ts';
import { nameKey, type Scenario } from './schema.ts';

/** Changes that a title names one by one. */
const TITLE_CHANGES = 2;
/** Characters of a title of a scenario. */
const LONGEST_TITLE = 200;

/** @returns the scenario without its branches: all that its own numbers follow from */
export function mainLine(scenario: Scenario): Scenario {
  return { ...scenario, branches: [] };
}

/** What differs from the main line, one line each. */
function differencesOf(scenario: Scenario, index: number): readonly string[] {
  const { cycle, interventions } = scenario.branches[index];
  const line = lineOf(scenario, index);
  const own = line.interventions.slice(line.interventions.length - interventions.length);
  const left = scenario.interventions.length - (line.interventions.length - own.length);
  const without =
    left === 0 ? [] : [`without ${left === 1 ? 'the change' : `the ${left} changes`} after cycle ${cycle}`];
  return [...own.map((each) => describeIntervention(line, each)), ...without];
}

/** @returns the branch's name; where it has none, what differs in it: `letkf: inflation 1.1 → 3` */
export function branchTitle(scenario: Scenario, index: number): string {
  const { name, cycle } = scenario.branches[index];
  if (name !== undefined) return name;
  const differences = differencesOf(scenario, index);
  const more = differences.length - TITLE_CHANGES;
  const told = differences.slice(0, TITLE_CHANGES).join(', ');
  if (differences.length === 0) return `from cycle ${cycle}`;
  return more > 0 ? `${told} and ${more} more` : told;
}

function lineOf(scenario: Scenario, index: number): Scenario {
  const { cycle, interventions } = scenario.branches[index];
  const before = scenarioBefore(scenario, cycle);
  return { ...mainLine(before), interventions: [...before.interventions, ...interventions] };
}

/**
 * @param index in `branches`
 * @returns the scenario of the branch alone: what the main line changes before its cycle, then its own changes. What is expected,
 *   and the lesson, are of the main line, and omitted
 * @throws RangeError if there is no such branch
 */
export function branchScenario(scenario: Scenario, index: number): Scenario {
  if (!scenario.branches[index]) {
    throw new RangeError(`branch ${index} of ${scenario.branches.length} was asked for, counted from 0`);
  }
  const { expected: _expected, ...line } = lineOf(scenario, index);
  const title = [scenario.title, branchTitle(scenario, index)].filter((words) => words !== '').join(': ');
  return { ...line, title: title.slice(0, LONGEST_TITLE), lesson: [] };
}

/**
 * Judges each branch as the scenario that it is.
 *
 * @returns problems at the places where the file has what is to blame
 */
export function inBranches(scenario: Scenario, judge: (line: Scenario) => readonly Problem[]): Problem[] {
  return scenario.branches.flatMap(({ interventions }, branch) => {
    const line = lineOf(scenario, branch);
    const before = line.interventions.length - interventions.length;
    return judge(line).map((problem): Problem => {
      const [list, index, ...inside] = problem.path;
      const isOwn = list === 'interventions' && typeof index === 'number' && index >= before;
      const path = isOwn ? ['interventions', index - before, ...inside] : [];
      return { ...problem, path: ['branches', branch, ...path] };
    });
  });
}

/** @returns what is wrong with where branches begin, with their names, and with what no branch can do */
export function branchProblems(scenario: Scenario): Problem[] {
  const cycles = cyclesOf(scenario);
  const names = new Map<string, number>();
  return scenario.branches.flatMap(({ name, cycle, interventions }, branch): Problem[] => {
    const problems: Problem[] = [];
    const tell = (inside: Problem['path'], message: string): void =>
      void problems.push({ path: ['branches', branch, ...inside], message });
    if (cycle > cycles) tell(['cycle'], `found ${cycle}, allowed: at most ${tidy(cycles)}, where the run ends`);
    const key = name === undefined ? undefined : nameKey(name);
    const first = key === undefined ? undefined : names.get(key);
    if (first !== undefined) {
      tell(['name'], `found ${describeValue(name)}, which is branches[${first}].name too; give each a name of its own`);
    } else if (key !== undefined) names.set(key, branch);
    interventions.forEach((each, index) => {
      const place = ['interventions', index] as const;
      if (each.kind === 'island') {
        const message =
          'found "island", which is part of the bed from the beginning; put it among the interventions of the scenario';
        tell([...place, 'kind'], message);
      } else if (each.cycle < cycle) {
        tell([...place, 'cycle'], `found ${each.cycle}, allowed: at least ${cycle}, where the branch begins`);
      }
    });
    return problems;
  });
}
