/** The settings that a sweep varies: where they are in the scenario, what they are called, and what they are in each combination. */
import { nearest } from '../settings/index.ts';
import { describeValue, formatPath, listWords, parsePath, quote } from '../settings/index.ts';
import type { Path, Problem } from '../settings/index.ts';
import { effectOf, schemaAt } from '../scenario/index.ts';
import type { Scenario } from '../scenario/index.ts';
import type { SweepDefinition } from './read-definition.ts';

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
export function resolvePath(written: string, { methods }: Scenario, place: Path): string | Problem {
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
