/** The scenarios that ship, as text, in the order of the gallery. */
import { signal } from '@preact/signals';
import { parseScenario, type ParsedScenario } from '../../../engine/index.ts';
import type { Picture } from './scenario-picture.ts';
import type { Laboratory } from '../../page/laboratory.ts';

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
export const FIRST_SCENARIO = 'one-stone';

export const BUNDLED_SCENARIOS: readonly BundledScenario[] = Object.entries(texts)
  .map(([path, text]) => ({ name: path.replace(/^.*\//, '').replace(/\.json$/, ''), text }))
  .sort(
    (a, b) => Number(b.name === FIRST_SCENARIO) - Number(a.name === FIRST_SCENARIO) || a.name.localeCompare(b.name),
  );

/** How the gallery groups them, in its order; what is named nowhere comes last. */
const GROUPS: readonly { readonly title: string; readonly names: readonly string[] }[] = [
  { title: 'Begin here', names: ['one-stone', 'what-is-an-analysis', 'first-light'] },
  {
    title: 'Which method, and when',
    names: [
      'when-letkf-wins',
      'when-3dvar-wins',
      'when-4dvar-wins',
      'when-hybrid-wins',
      'chaotic-sea',
      'why-localise',
      'sampling-error',
      'unforecast-rain',
      'coarse-weights',
      'seams',
      'model-error',
      'seed-water-drops',
      'letkf-paper',
    ],
  },
  {
    title: 'What is observed',
    names: [
      'which-gauge',
      'drifting-jets',
      'altimeter-tracks',
      'orbit-error',
      'speed-not-direction',
      'readings-in-time',
      'bad-observations',
    ],
  },
  { title: 'Other worlds', names: ['lorenz-96'] },
  { title: 'Other waters', names: ['tsunami-harbour', 'dam-break', 'double-jet', 'large'] },
];
const OTHERS = 'Further scenarios';

export interface ScenarioGroup {
  readonly title: string;
  readonly names: readonly string[];
}

/** @returns the scenarios in groups, each of them once, without empty groups */
export function groupScenarios(names: readonly string[]): readonly ScenarioGroup[] {
  const grouped = new Set(GROUPS.flatMap((group) => group.names));
  return [
    ...GROUPS.map(({ title, names: wanted }) => ({ title, names: wanted.filter((name) => names.includes(name)) })),
    { title: OTHERS, names: names.filter((name) => !grouped.has(name)) },
  ].filter((group) => group.names.length > 0);
}

/** @throws RangeError for a name that does not ship */
function textOf(name: string): string {
  const found = BUNDLED_SCENARIOS.find((scenario) => scenario.name === name);
  if (!found) throw new RangeError(`no scenario ${name} ships with this program`);
  return found.text;
}

/** What ships, as this page has read it so far. */
export function createCatalogue() {
  const parsed = new Map<string, ParsedScenario>();
  /** Pictures of the water by scenario; 'none' if there can be none. */
  const pictures = signal<ReadonlyMap<string, Picture | 'none'>>(new Map());

  /** @throws RangeError for a name that does not ship, ScenarioError never: a test holds every one of them */
  function bundledScenario(name: string): ParsedScenario {
    const known = parsed.get(name) ?? parseScenario(textOf(name), `${name}.json`);
    parsed.set(name, known);
    return known;
  }

  const titles = new Map<string, string>();

  /**
   * @returns what a scenario is called, or its name. To list them all is asked for between a key and the next picture: what else
   * their files say is read, and checked, when one of them is looked at. @throws RangeError for a name that does not ship
   */
  function bundledTitle(name: string): string {
    const known = titles.get(name) ?? ((JSON.parse(textOf(name)) as { readonly title?: string }).title || name);
    titles.set(name, known);
    return known;
  }

  return { bundledScenario, bundledTitle, pictures };
}

export type Catalogue = ReturnType<typeof createCatalogue>;

function createCatalogueOf(): Catalogue {
  return createCatalogue();
}

/** @returns the scenarios that ship */
export function catalogueOf(laboratory: Laboratory): Catalogue {
  return laboratory.use(createCatalogueOf);
}
