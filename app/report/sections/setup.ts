/** What was asked: the experiment in words, by which conventions its numbers are made, and every setting. */
import {
  methodDefinition,
  modelKindDefinition,
  momentsOf,
  networkCapacity,
  describeIntervention,
  isRecord,
  scenarioJsonSchema,
} from '../../../engine/index.ts';
import type { Scenario, JsonSchema } from '../../../engine/index.ts';
import { formatNumber, formatQuantity } from '../../format/numbers.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { html, type Markup } from '../markup.ts';
import { headOf, type Report, type Section } from '../report.ts';
import type { ReportedRun } from '../run/reported-run.ts';

interface Setting {
  /** As in `Localisation: Half-width`. */
  readonly title: string;
  /** With its unit. */
  readonly value: string;
}

/** The settings of one part of a scenario. */
interface SettingsGroup {
  /** As in `Observations, gauges`, or the kind's. */
  readonly title: string;
  /** What the kind is, in a line; empty if there is but one. */
  readonly gist: string;
  readonly settings: readonly Setting[];
}

/** Longer lists are counted. */
const MOST_ENTRIES = 8;
/** What the file says of itself, what a report shows elsewhere, and how an entry is distinguished from others. */
const BESIDE = new Set([
  '$schema',
  'version',
  'name',
  'title',
  'description',
  'seed',
  'views',
  'lesson',
  'expected',
  'branches',
  'interventions',
  'kind',
  'label',
]);

function variantOf(schema: JsonSchema, value: unknown): JsonSchema | undefined {
  const kind = isRecord(value) ? value['kind'] : undefined;
  return schema.oneOf?.find(({ properties }) => properties?.['kind']?.const === kind) ?? schema.oneOf?.[0];
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    return list.length > MOST_ENTRIES ? `${list.length} entries` : list.map(textOf).join(', ');
  }
  return isRecord(value) ? JSON.stringify(value) : String(value);
}

/** A unit that depends on another setting is not given here. */
function withUnit(text: string, unit = ''): string {
  return unit === '' || unit.includes(' or ') || !/\d/.test(text) ? text : `${text} ${unit}`;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

function* settingsIn(schema: JsonSchema, value: unknown, around: readonly string[]): Generator<Setting> {
  const own = schema.oneOf ? variantOf(schema, value) : schema;
  if (!isRecord(value) || own?.properties === undefined) {
    if (!isEmpty(value)) yield { title: around.join(': '), value: withUnit(textOf(value), schema.unit) };
    return;
  }
  if (schema.oneOf && own.title !== undefined && around.length > 0)
    yield { title: around.join(': '), value: own.title };
  for (const [key, entry] of Object.entries(own.properties)) {
    if (BESIDE.has(key) || value[key] === undefined) continue;
    yield* settingsIn(entry, value[key], [...around, entry.title ?? key]);
  }
}

function groupOf(schema: JsonSchema, title: string, value: unknown): SettingsGroup {
  const own = schema.oneOf ? variantOf(schema, value) : undefined;
  return { title: own?.title ?? title, gist: own?.description ?? '', settings: [...settingsIn(schema, value, [])] };
}

/** What an entry of a list is called, where that is not its kind. */
function nameOf(entry: unknown): string | undefined {
  if (!isRecord(entry)) return undefined;
  const name = entry['label'] ?? entry['name'];
  return typeof name === 'string' && name !== entry['kind'] ? name : undefined;
}

function groupsOf(key: string, schema: JsonSchema, value: unknown): SettingsGroup[] {
  const title = schema.title ?? key;
  const { items } = schema;
  if (!Array.isArray(value) || typeof items !== 'object') return [groupOf(schema, title, value)];
  return value.map((entry: unknown) => {
    const group = groupOf(items, title, entry);
    const name = nameOf(entry);
    return name === undefined ? group : { ...group, title: `${group.title}, ${name}` };
  });
}

/** @returns a group for each part of the scenario, in its order */
export function settingsWords(scenario: Scenario): readonly SettingsGroup[] {
  const parts: Readonly<Record<string, unknown>> = { ...scenario };
  return Object.entries(scenarioJsonSchema().properties ?? {}).flatMap(([key, schema]) =>
    BESIDE.has(key) || parts[key] === undefined
      ? []
      : groupsOf(key, schema, parts[key]).filter(({ settings, gist }) => settings.length > 0 || gist !== ''),
  );
}

function settingsList(scenario: Scenario): Markup {
  const groups = settingsWords(scenario).map(
    ({ title, gist, settings }) =>
      html`<dt>${title}</dt>
        <dd>
          ${gist !== '' && html`<span class="gist">${gist}</span>`}
          <ul class="settings">
            ${settings.map(({ title: name, value }) => html`<li>${name} <b>${value}</b></li>`)}
          </ul>
        </dd>`,
  );
  const changes = scenario.interventions.map(
    (each) => html`<li>cycle ${each.cycle}: ${describeIntervention(scenario, each)}</li>`,
  );
  return html`<dl class="groups">
    ${groups}${
      changes.length > 0 &&
      html`<dt>Changed while it ran</dt>
        <dd>
          <ul>
            ${changes}
          </ul>
        </dd>`
    }
  </dl>`;
}

export function settingsSection({ runs }: Report): Section {
  const [{ scenario }] = runs;
  const others =
    runs.length > 1 && html`<p class="note">Settings of the first run; differences of the others are listed above.</p>`;
  return { id: 'settings', title: 'Settings', body: html`${others}${settingsList(scenario)}` };
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function basinWords({ grid: { nx, ny, dx, dy }, model }: Scenario): string {
  const { world, title } = modelKindDefinition(model);
  if (world === 'ring') return `${title}, ${nx} places on a ring`;
  return `${title}, ${nx} × ${ny} cells of ${formatNumber(dx)} m × ${formatNumber(dy)} m`;
}

/** In which cycles a network observes, and when in them. */
function whenWords(network: Scenario['observations'][number]): string {
  const { every, times } = network;
  const most = every === 1 ? 'in each cycle' : `in one of ${every} cycles`;
  const cycles = times.length === 0 ? most : `in ${times.length} ${times.length === 1 ? 'cycle' : 'cycles'}`;
  const shares = momentsOf(network);
  if (shares.every((share) => share === 1)) return `at the end, ${cycles}`;
  return `after ${listed(shares.map((share) => formatNumber(100 * share)))} % of the window, ${cycles}`;
}

/** What one network reports: `256 observations of h by “gauges”, with errors of 0.02 m`. */
function networkWords({ grid, model }: Scenario, network: Scenario['observations'][number]): string {
  const { name, variable, errorStandardDeviation } = network;
  const unit = modelKindDefinition(model).observed.find((each) => each.name === variable)?.unit ?? '';
  const capacity = networkCapacity(network.network, grid);
  const places = capacity === undefined ? '' : ` in up to ${capacity} ${capacity === 1 ? 'place' : 'places'}`;
  return `“${name}” observes ${variable}${places} ${whenWords(network)}, with errors of standard deviation ${formatQuantity(errorStandardDeviation, unit)}`;
}

function titles(styles: readonly MethodStyle[]): string {
  return listed(styles.map(({ title }) => title));
}

function methodsWords({ scenario: { background }, styles }: ReportedRun): string {
  const learning = styles.filter(({ kind }) => methodDefinition(kind).assimilates);
  const others = styles.filter((style) => !learning.includes(style));
  const members = `${background.members} ${background.members === 1 ? 'member' : 'members'}`;
  return [
    ...(learning.length > 0
      ? [
          `${titles(learning)} ${learning.length === 1 ? 'assimilates' : 'assimilate'} them; all begin with the same background of ${members}.`,
        ]
      : []),
    ...(others.length > 0 ? [`${titles(others)}: the same background left to itself, for comparison.`] : []),
  ].join(' ');
}

/** The experiment in a paragraph. */
function experimentWords(run: ReportedRun): string {
  const { scenario, record } = run;
  const { cycles, window, spinup } = scenario.experiment;
  const unit = modelKindDefinition(scenario.model).world === 'ring' ? '' : 's';
  const networks = scenario.observations.map((network) => networkWords(scenario, network));
  const observed = networks.length === 0 ? 'Nothing is observed.' : `Of it ${networks.join('; ')}.`;
  return [
    `A twin experiment. The model: ${basinWords(scenario)}.`,
    `A truth, which no method sees, is followed for ${cycles} cycles of ${formatQuantity(window, unit)}.`,
    observed,
    methodsWords(run),
    `All random numbers follow from the seed ${record.seed}.`,
    spinup > 0 && spinup < cycles ? `Means are over the cycles from ${spinup} on.` : 'Means are over all cycles.',
  ].join(' ');
}

const CONVENTIONS: readonly (readonly [string, string])[] = [
  [
    'RMSE',
    'root of the mean square, over all cells with water in the truth or in a member, of a method’s mean minus the truth; of several cycles the mean of their values.',
  ],
  ['Spread', 'root of the mean variance over the members (n − 1 in the denominator); a method of one state has none.'],
  [
    'Skill',
    '1 − RMSE / RMSE of the free run, both of the analysis, each a mean over the cycles; of several variables the mean.',
  ],
  ['Rank', 'how many members of the forecast lie below the truth in a cell; ties are broken at random.'],
  [
    'χ²/p',
    'dᵀ(HBHᵀ + R)⁻¹d over the number p of observations, d = y − H(x̄ᶠ): 1 in the mean where the errors are what the method takes them for.',
  ],
  ['Inflation', 'multiplies the forecast’s covariance, not its anomalies.'],
  ['Half-width', 'half of the distance beyond which an observation has no influence (Gaspari and Cohn’s taper).'],
  ['Cycle', 'counted from 0: a forecast, the observations of its window, an analysis.'],
];

function conventions(): Markup {
  return html`<dl class="terms">
    ${CONVENTIONS.map(
      ([term, meaning]) =>
        html`<dt>${term}</dt>
          <dd>${meaning}</dd>`,
    )}
  </dl>`;
}

function paragraphsOf({ description }: Scenario): Markup[] {
  return description
    .split(/\n\s*\n/)
    .filter((text) => text.trim() !== '')
    .map((text) => html`<p class="about">${text}</p>`);
}

export function setupSection(report: Report): Section {
  const [first] = report.runs;
  const { groups } = report.comparison;
  // One run represents those with the same settings.
  const told = report.runs.filter(({ compared }) =>
    groups.length === 0 ? compared === first.compared : groups.some(({ runs: [own] }) => own === compared),
  );
  const words = told.map(experimentWords);
  const parts = told.flatMap((run, index) => {
    // What several have in common is said once.
    if (words.indexOf(words[index]) < index) return [];
    const isAlone = words.every((each) => each === words[0]);
    const head = isAlone ? undefined : headOf(report, run);
    return [
      html`${head !== undefined && html`<h3>${head}</h3>`}
        <p>${words[index]}</p>`,
    ];
  });
  return {
    id: 'setup',
    title: 'What was asked',
    body: html`${paragraphsOf(first.scenario)}${parts}
      <h3>Conventions</h3>
      ${conventions()}`,
  };
}
