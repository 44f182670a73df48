/** Every setting of the first run, with its title, value and unit. */
import { describeIntervention, isRecord, scenarioJsonSchema } from '../../../engine/index.ts';
import type { Scenario, JsonSchema } from '../../../engine/index.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { Report, Section } from '../report.ts';

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
