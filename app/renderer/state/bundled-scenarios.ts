/** The scenarios that ship, as text, in the order of the gallery. */
import { parseScenario } from '../../../engine/index.ts';
import type { ParsedScenario } from '../../../engine/index.ts';

const texts = import.meta.glob<string>(['../../../scenarios/*.json', '!../../../scenarios/*.schema.json'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

export interface BundledScenario {
  /** The file's name without `.json`. */
  readonly name: string;
  readonly text: string;
}

/** The one that the first launch opens. */
export const FIRST_SCENARIO = 'first-light';

export const BUNDLED_SCENARIOS: readonly BundledScenario[] = Object.entries(texts)
  .map(([path, text]) => ({ name: path.replace(/^.*\//, '').replace(/\.json$/, ''), text }))
  .sort(
    (a, b) => Number(b.name === FIRST_SCENARIO) - Number(a.name === FIRST_SCENARIO) || a.name.localeCompare(b.name),
  );

const parsed = new Map<string, ParsedScenario>();

/** @throws RangeError for a name that does not ship, ScenarioError never: a test holds every one of them */
export function bundledScenario(name: string): ParsedScenario {
  const found = BUNDLED_SCENARIOS.find((scenario) => scenario.name === name);
  if (!found) throw new RangeError(`no scenario ${name} ships with this program`);
  const known = parsed.get(name) ?? parseScenario(found.text, `${name}.json`);
  parsed.set(name, known);
  return known;
}
