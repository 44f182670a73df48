/**
 * The scenarios that ship, as text, in the order of the gallery; and what their runs over several seeds have given, beside what the
 * run on screen gives.
 */
import { signal } from '@preact/signals';
import { comparedVariables, parseScenario, parseScenarioInSteps, settingsText } from '../../../engine/index.ts';
import { summariseRun, summaryTerms } from '../../../engine/index.ts';
import type { ParsedScenario, CycleDiagnostics, MethodResult, MethodSummary, Scenario } from '../../../engine/index.ts';
import type { Picture } from './scenario-picture.ts';
import { type Laboratory, slot } from '../../page/laboratory.ts';
import { nextTask } from '../../page/render-pace.ts';
import { unitOf } from '../views/series.ts';

const texts = import.meta.glob<string>(['../../../scenarios/*.json', '!../../../scenarios/*.schema.json'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

interface BundledScenario {
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

interface ScenarioGroup {
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

  /** Reads one in several tasks, so that `bundledScenario` has it at once. @throws RangeError for a name that does not ship */
  async function readBundled(name: string): Promise<void> {
    if (parsed.has(name)) return;
    const read = await parseScenarioInSteps(textOf(name), `${name}.json`, nextTask);
    // Whoever needed it at once has it by now, and keeps what was read first.
    if (!parsed.has(name)) parsed.set(name, read);
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

  return { bundledScenario, readBundled, bundledTitle, pictures };
}

export type Catalogue = ReturnType<typeof createCatalogue>;

/** @returns the scenarios that ship */
export const catalogueOf = slot<Laboratory, Catalogue>(() => createCatalogue());

type Expected = NonNullable<Scenario['expected']>;
type ExpectedResult = Expected['results'][string];

/** Median and range over the seeds. */
interface ExpectedRange {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export interface ExpectedRow {
  readonly label: string;
  /** `h`, `hu`, `hv`; `skill` for the skill of all compared variables. */
  readonly variable: string;
  /** Expected RMSE of the analysis, or expected skill, a share. */
  readonly expected: ExpectedRange;
  /** Value of the run on screen; undefined while it has none. */
  readonly found: number | undefined;
  /** Undefined while nothing was found. */
  readonly isInside: boolean | undefined;
}

/** A run that computes in other numbers, or stopped elsewhere, may differ in the last digit that is shown. */
const ROUNDING = 5e-3;

/** @returns whether a number is inside a range whose ends are widened by the rounding to three digits */
export function isInRange(value: number, { low, high }: ExpectedRange): boolean {
  const slack = ROUNDING * Math.max(Math.abs(low), Math.abs(high));
  return value >= low - slack && value <= high + slack;
}

function rowsOf(
  label: string,
  { analysis, skill }: ExpectedResult,
  variables: readonly string[],
  found: MethodResult | undefined,
): ExpectedRow[] {
  const row = (variable: string, expected: ExpectedRange | undefined, value: number | null | undefined) => {
    if (expected === undefined) return [];
    const known = value ?? undefined;
    return [
      {
        label,
        variable,
        expected,
        found: known,
        isInside: known === undefined ? undefined : isInRange(known, expected),
      },
    ];
  };
  const byVariable: Readonly<Record<string, ExpectedRange | undefined>> = analysis;
  return [
    ...variables.flatMap((variable) => row(variable, byVariable[variable], found?.rmse.analysis[variable])),
    ...row('skill', skill, found?.skill),
  ];
}

/** @returns the rows of a scenario's expected results, by method; `results` are those of the run on screen where it is this one */
export function expectedRows(scenario: Scenario, results: readonly MethodResult[]): readonly ExpectedRow[] {
  const variables = comparedVariables(scenario);
  const labels = scenario.methods.map(({ label }) => label);
  const all = scenario.expected?.results ?? {};
  return labels
    .filter((label) => Object.hasOwn(all, label))
    .flatMap((label) => {
      const found = results.find(({ method }) => method === label);
      return rowsOf(label, all[label], variables, found);
    });
}

/** @returns what the run on screen gave so far after its spin-up */
export function resultsSoFar(
  scenario: Scenario,
  methods: readonly MethodSummary[],
  diagnostics: ReadonlyMap<string, readonly CycleDiagnostics[]>,
): readonly MethodResult[] {
  return summariseRun(methods, [...diagnostics.values()].flat(), summaryTerms(scenario)).filter(
    ({ rmse }) => Object.keys(rmse.analysis).length > 0,
  );
}

/** Whether two scenarios have the same settings, whatever their words and seeds. */
export function haveSameSettings(a: Scenario, b: Scenario): boolean {
  return settingsText(a) === settingsText(b);
}

/** @returns in a sentence whether this run lies inside what was expected; empty while there is nothing to compare */
export function expectedVerdict(rows: readonly ExpectedRow[], seeds: number, isOver: boolean): string {
  const known = rows.filter(({ isInside }) => isInside !== undefined);
  if (known.length === 0) return '';
  const outside = known.filter(({ isInside }) => isInside === false).length;
  const sofar = isOver ? 'This run' : 'This run so far';
  const range = `the range of ${seeds} ${seeds === 1 ? 'seed' : 'seeds'}`;
  if (outside === 0) return `${sofar} lies inside ${range}.`;
  return `${sofar} lies outside ${range} in ${outside} of ${known.length} numbers.`;
}

/** @returns `h (m)`, `skill (%)` */
export function rowTitle(variable: string): string {
  if (variable === 'skill') return 'skill (%)';
  const unit = unitOf(variable);
  return unit === '' ? variable : `${variable} (${unit})`;
}
