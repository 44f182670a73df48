/** The settings that a sweep varies: where they are in the scenario, what they are called, and what they are in each combination. */
import { nearest, describeValue, formatPath, listWords, parsePath, quote, suggestion } from '../settings/index.ts';
import type { Path, Problem } from '../settings/index.ts';
import { effectOf, schemaAt, assignPath, validateScenario, valueAt, type Scenario } from '../scenario/index.ts';
import { ScenarioError } from '../errors.ts';
import { refuseSweep, type SweepDefinition, type ReadSweep } from './read-definition.ts';

export interface PlannedAxis {
  /** As the definition has it: `methods[letkf].inflation`. */
  readonly written: string;
  /** Path in the scenario: `methods[2].inflation`. */
  readonly path: string;
  readonly keys: Path;
  /** For people, with its unit. */
  readonly title: string;
}

/** A method by its label in place of its index, in brackets, with or without quotes. */
const BY_LABEL = /^methods\[(?!\d+\])([^\]]*)\](.*)$/s;

/**
 * @param written `methods[letkf].inflation` or `methods[2].inflation`
 * @param place where the definition has it
 * @returns the path with the index; `assignPath` reports what is no path
 */
function resolvePath(written: string, { methods }: Scenario, place: Path): string | Problem {
  const match = BY_LABEL.exec(written);
  if (!match) return written;
  const [, bracket, rest] = match;
  const label = bracket.replace(/^"(.*)"$/, '$1');
  const index = methods.findIndex((method) => method.label === label);
  if (index >= 0) return `methods[${index}]${rest}`;
  const known = methods.map((method) => method.label);
  const near = nearest(label, known);
  const hint = near === undefined ? '' : `; did you mean ${formatPath(['methods'])}[${near}]?`;
  const message = `no method has the label ${quote(label)}, allowed: ${listWords(known.map(describeValue))}, or an index${hint}`;
  return { path: place, atKey: true, message };
}

/** What no sweep varies: it names things and changes no number, or has a place of its own. */
function fixedProblem(path: string, place: Path): Problem | undefined {
  if (path === 'seed') {
    return { path: place, atKey: true, message: 'found the seed among the settings, allowed: "seeds": [1, 2, 3]' };
  }
  if (path === 'version' || path === 'expected' || path.startsWith('expected.') || effectOf(path) === 'label') {
    return { path: place, atKey: true, message: 'found a setting that changes no number of a run' };
  }
  return undefined;
}

/** @returns what the setting is called, after the method or network it belongs to, with its unit: `letkf: Half-width (m)` */
export function titleOf(scenario: Scenario, keys: Path): string {
  const schema = schemaAt(scenario, keys);
  const [section, index] = keys;
  const unit = schema?.unit === undefined ? '' : ` (${schema.unit})`;
  const title = schema?.title ?? String(keys.at(-1));
  const within = keys.length > 1 ? (schemaAt(scenario, keys.slice(0, 1))?.title ?? String(section)) : '';
  const owner =
    section === 'methods' && typeof index === 'number'
      ? scenario.methods[index]?.label
      : section === 'observations' && typeof index === 'number'
        ? scenario.observations[index]?.name
        : within;
  return owner === undefined || owner === '' ? `${title}${unit}` : `${owner}: ${title}${unit}`;
}

/** @returns the axes of a grid or a list of cases, in the order in which they come there, or what is wrong with them */
export function axesOf(
  { grid, cases }: SweepDefinition,
  scenario: Scenario,
): { readonly axes: readonly PlannedAxis[]; readonly problems: readonly Problem[] } {
  const places = new Map<string, Path>();
  for (const written of Object.keys(grid ?? {})) places.set(written, ['grid', written]);
  (cases ?? []).forEach((values, index) => {
    for (const written of Object.keys(values)) {
      if (!places.has(written)) places.set(written, ['cases', index, written]);
    }
  });
  const problems: Problem[] = [];
  const axes: PlannedAxis[] = [];
  for (const [written, place] of places) {
    const path = resolvePath(written, scenario, place);
    if (typeof path !== 'string') {
      problems.push(path);
      continue;
    }
    const fixed = fixedProblem(path, place);
    const twin = axes.find((axis) => axis.path === path);
    if (fixed) problems.push(fixed);
    else if (twin) {
      const message = `found the same setting as ${quote(twin.written)}, allowed: each once`;
      problems.push({ path: place, atKey: true, message });
    } else {
      const keys = parsePath(path) ?? [];
      axes.push({ written, path, keys, title: titleOf(scenario, keys) });
    }
  }
  return { axes, problems };
}

/** What all cases start from. */
interface SweepBase {
  /** As its file has it, with the values that all cases have, and without its lesson and what is expected of it. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly scenario: Scenario;
  /** Labels of the methods that run. */
  readonly labels: readonly string[];
}

/** Sets what all cases have, and chooses the methods. @throws ScenarioError */
export function baseOf(sweep: ReadSweep, { raw, file }: { readonly raw: unknown; readonly file: string }): SweepBase {
  const { set = {}, methods } = sweep.definition;
  let base = raw;
  let { scenario } = validateScenario(base, file);
  for (const [written, value] of Object.entries(set)) {
    const path = resolvePath(written, scenario, ['set', written]);
    if (typeof path !== 'string') throw refuseSweep(sweep, [path]);
    try {
      base = assignPath(base, path, value, sweep.file);
      ({ scenario } = validateScenario(base, sweep.file));
    } catch (error) {
      throw located(error, sweep, () => ['set', written], `with ${written} set`);
    }
  }
  const known = scenario.methods.map(({ label }) => label);
  const problems = (methods ?? []).flatMap((label, index): Problem[] => {
    if (known.includes(label)) return [];
    const message = `found ${describeValue(label)}, allowed: ${listWords(known.map(describeValue))}${suggestion(label, known)}`;
    return [{ path: ['methods', index], message }];
  });
  if (problems.length > 0) throw refuseSweep(sweep, problems);
  const labels = known.filter((label) => methods === undefined || methods.includes(label));
  // What is expected, what branches leave, and the lesson are of the scenario as it is: of no case, and longer than all the rest.
  const {
    expected: _expected,
    branches: _branches,
    lesson: _lesson,
    ...kept
  } = base as Readonly<Record<string, unknown>>;
  return { raw: kept, scenario, labels };
}

/**
 * What is wrong with a scenario as problems of the definition: at the value that is to blame, or at its beginning.
 *
 * @param placeOf where the definition has the setting at a path of the scenario
 * @param when the values that were set, for what is wrong across settings
 */
function located(error: unknown, sweep: ReadSweep, placeOf: (path: Path) => Path | undefined, when: string): unknown {
  if (!(error instanceof ScenarioError)) return error;
  return refuseSweep(
    sweep,
    error.problems.map(({ path, message }): Problem => {
      const place = placeOf(path);
      const inside = path.length === 0 || place?.includes(formatPath(path)) ? '' : `${formatPath(path)}: `;
      return { path: place ?? [], message: `${place ? '' : `${when}: `}${inside}${message}` };
    }),
  );
}

/** Whether one path leads into, or out of, what is at the other, which is not the whole. */
function meets(a: Path, b: Path): boolean {
  return b.length > 0 && a.slice(0, b.length).every((key, depth) => key === b[depth]);
}

/** The values of a combination by axis; undefined where a case leaves one as the scenario has it. */
type Combination = readonly unknown[];

/** @returns combinations by number: of a grid the last axis is fastest; of a list as it is; one of nothing if there is neither */
function valuesOf({ definition: { grid, cases } }: ReadSweep, axes: readonly PlannedAxis[]) {
  if (cases)
    return { count: cases.length, at: (c: number): Combination => axes.map(({ written }) => cases[c][written]) };
  const lists = axes.map(({ written }) => grid?.[written] ?? []);
  return {
    count: lists.reduce((product, { length }) => product * length, 1),
    at(c: number): Combination {
      const values: unknown[] = [];
      let rest = c;
      for (const list of [...lists].reverse()) {
        values.unshift(list[rest % list.length]);
        rest = Math.floor(rest / list.length);
      }
      return values;
    },
  };
}

/** A combination in the scenario. */
export interface PreparedCombination {
  readonly scenario: Scenario;
  /** One for each axis: those of the combination, and the scenario's where it leaves one out. */
  readonly values: readonly unknown[];
}

export interface Combinations {
  readonly count: number;
  /** Values by axis; undefined where a case leaves one as the scenario has it. */
  readonly at: (combination: number) => readonly unknown[];
  /** @throws ScenarioError naming the value that is to blame, or all of them where it is no single one */
  readonly prepare: (combination: number) => PreparedCombination;
}

export function createCombinations(
  sweep: ReadSweep,
  { raw, labels }: SweepBase,
  axes: readonly PlannedAxis[],
): Combinations {
  const { definition, file } = sweep;
  const { count, at } = valuesOf(sweep, axes);
  /** Where the definition has a setting of the c-th combination. */
  const placeIn = (c: number, path: Path): Path | undefined => {
    const axis = axes.find(({ keys }) => meets(keys, path));
    if (!axis) return undefined;
    if (definition.cases) return ['cases', c, axis.written];
    const list: readonly unknown[] = definition.grid?.[axis.written] ?? [];
    return ['grid', axis.written, list.indexOf(at(c)[axes.indexOf(axis)])];
  };
  return {
    count,
    at,
    prepare(c) {
      const values = at(c);
      try {
        const changed = axes.reduce<unknown>(
          (before, { path }, a) => (values[a] === undefined ? before : assignPath(before, path, values[a], file)),
          raw,
        );
        const { scenario } = validateScenario(changed, file);
        assertMethods(scenario, labels);
        return { scenario, values: axes.map(({ keys }, a) => values[a] ?? valueAt(scenario, keys) ?? null) };
      } catch (error) {
        const set = axes.flatMap(({ written }, a) =>
          values[a] === undefined ? [] : [`${written} = ${JSON.stringify(values[a])}`],
        );
        throw located(error, sweep, (path) => placeIn(c, path), `with ${set.join(', ')}`);
      }
    },
  };
}

/** A sweep runs the same methods in every case. @throws ScenarioError */
function assertMethods({ methods }: Scenario, labels: readonly string[]): void {
  const missing = labels.find((label) => !methods.some((method) => method.label === label));
  if (missing === undefined) return;
  const message = `found no method ${describeValue(missing)}, allowed: values that leave the methods’ labels as they are`;
  throw new ScenarioError([{ path: ['methods'], message }]);
}
