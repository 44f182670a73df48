/** What differs between two runs, in the words of the settings panel, titles and values with units; and which runs are the same. */
import {
  describeInterventions,
  isRecord,
  parsePath,
  scenarioJsonSchema,
  schemaAt,
  settingsDifferences,
  cyclesOf,
  settingsText,
} from '../../../engine/index.ts';
import type { Scenario, SettingDifference } from '../../../engine/index.ts';
import { kindTitle } from '../../document/views/method-style.ts';
import type { KeptRun } from './kept-run.ts';

/** @returns the scenario without what would be changed after its last cycle */
export function asItHappens(scenario: Scenario): Scenario {
  const cycles = cyclesOf(scenario);
  const interventions = scenario.interventions.filter(({ cycle }) => cycle < cycles);
  return interventions.length < scenario.interventions.length ? { ...scenario, interventions } : scenario;
}

type Settings = Pick<KeptRun, 'scenario' | 'files' | 'backend' | 'methods'>;

/** Whether two files hold the same. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a === b || (a.length === b.length && a.every((byte, index) => byte === b[index]));
}

function sameFiles(a: Settings['files'], b: Settings['files']): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => b[name] && sameBytes(a[name], b[name]));
}

function labelsOf({ methods }: Settings): string {
  return methods.map(({ label }) => label).join('\n');
}

/** Whether they are of the same settings on the same kind of backend: then they differ by their seed at most. */
export function sameSettings(a: Settings, b: Settings): boolean {
  return (
    a.backend.name === b.backend.name &&
    labelsOf(a) === labelsOf(b) &&
    settingsText(asItHappens(a.scenario)) === settingsText(asItHappens(b.scenario)) &&
    sameFiles(a.files, b.files)
  );
}

/** Whether one repeats the other, bit for bit. */
export function sameRun(a: Settings & Pick<KeptRun, 'versions'>, b: Settings & Pick<KeptRun, 'versions'>): boolean {
  return (
    a.scenario.seed === b.scenario.seed &&
    a.backend.adapter === b.backend.adapter &&
    JSON.stringify(a.versions) === JSON.stringify(b.versions) &&
    sameSettings(a, b)
  );
}

export interface RunDifference {
  /** As in `methods[letkf].inflation`. */
  readonly path: string;
  /** As in `LETKF › Localisation › Half-width`. */
  readonly title: string;
  /** With units, as in `4` and `8 cells`; empty where the title says it all. */
  readonly before: string;
  readonly after: string;
}

const IN = ' › ';
/** Longer values are cut, and longer lists of what was changed on the way. */
const LONGEST_VALUE = 40;
const LONGEST_CHANGES = 120;
const LISTS = ['methods', 'observations'] as const;

/** A path of `settingsDifferences`, as a scenario has it: methods are named by their labels there. */
function pathIn({ methods }: Scenario, path: string): string {
  const index = methods.findIndex(({ label }) => path.startsWith(`methods[${label}]`));
  return index < 0 ? path : `methods[${index}]${path.slice(`methods[${methods[index].label}]`.length)}`;
}

/** What the user calls an entry of a list: a method, a network. */
function entryName(scenario: Scenario, list: (typeof LISTS)[number], index: number): string | undefined {
  if (list === 'observations') return scenario.observations[index]?.name;
  const method = scenario.methods[index];
  return method && (method.label === method.kind ? kindTitle(method.kind) : method.label);
}

/** Titles of the groups around a setting, and its own. */
function titlesOf(scenario: Scenario, path: string): readonly string[] {
  const keys = parsePath(path) ?? [];
  const list = LISTS.find((name) => name === keys[0]);
  const name = list && typeof keys[1] === 'number' ? entryName(scenario, list, keys[1]) : undefined;
  const from = name === undefined ? 0 : 2;
  const titles = keys.slice(from).flatMap((key, depth) => {
    const schema = schemaAt(scenario, keys.slice(0, from + depth + 1), scenarioJsonSchema());
    return schema?.title ?? (typeof key === 'number' ? String(key + 1) : key);
  });
  return name === undefined ? titles : [name, ...titles];
}

function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function shown(value: unknown): string {
  if (value === undefined) return 'none';
  if (isRecord(value) && typeof value['kind'] === 'string') return value['kind'];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return cut(text, LONGEST_VALUE);
}

/** As in `cycle 3: 3 gauges added`. */
function interventionsText(scenario: Scenario): string {
  const cycles = [...new Set(scenario.interventions.map(({ cycle }) => cycle))].sort((a, b) => a - b);
  const texts = cycles.map((cycle) => `cycle ${cycle}: ${describeInterventions(scenario, cycle).join(', ')}`);
  return cut(texts.join('; '), LONGEST_CHANGES) || 'nothing';
}

function inWords({ path, before, after, words }: SettingDifference, a: Scenario, b: Scenario): RunDifference {
  if (path.startsWith('interventions')) {
    return { path, title: 'Changed while it ran', before: interventionsText(a), after: interventionsText(b) };
  }
  const lacks = before === undefined || after === undefined;
  if (lacks && /^methods\[.*\]$/.test(path)) {
    return {
      path,
      title: words.slice(0, words.lastIndexOf(':')),
      before: before ? 'there' : 'not there',
      after: after ? 'there' : 'not there',
    };
  }
  const own = pathIn(b, path);
  const unit = schemaAt(b, parsePath(own) ?? [], scenarioJsonSchema())?.unit ?? '';
  return {
    path,
    title: titlesOf(b, own).join(IN),
    before: shown(before),
    after: unit === '' ? shown(after) : `${shown(after)} ${unit}`,
  };
}

function alongside(path: string, title: string, before: string, after: string): readonly RunDifference[] {
  return before === after ? [] : [{ path, title, before, after }];
}

type Described = Pick<KeptRun, 'scenario' | 'backend'>;

/** Scenarios are never changed: of two, what differs is found once. */
const found = new WeakMap<Scenario, WeakMap<Scenario, readonly RunDifference[]>>();

/** Settings that differ, each title once. */
function settingsApart(a: Scenario, b: Scenario): readonly RunDifference[] {
  const known = found.get(a)?.get(b);
  if (known) return known;
  const [before, after] = [asItHappens(a), asItHappens(b)];
  const all = settingsDifferences(before, after).map((each) => inWords(each, before, after));
  const once = all.filter(({ title }, index) => all.findIndex((each) => each.title === title) === index);
  const ofFirst = found.get(a) ?? new WeakMap<Scenario, readonly RunDifference[]>();
  found.set(a, ofFirst.set(b, once));
  return once;
}

/** @returns what differs, from a run to another: settings, the seed, where it was computed; words aside */
export function differencesBetween(a: Described, b: Described): readonly RunDifference[] {
  return [
    ...alongside('name', 'Scenario', a.scenario.title || a.scenario.name, b.scenario.title || b.scenario.name),
    ...alongside('seed', 'Seed', String(a.scenario.seed), String(b.scenario.seed)),
    ...settingsApart(a.scenario, b.scenario),
    ...alongside('backend', 'Computed by', a.backend.name, b.backend.name),
  ];
}

/** @returns as in `LETKF › Inflation 1.1 → 3` */
export function differenceText({ title, before, after }: RunDifference): string {
  return `${title} ${before} → ${after}`;
}

/** Letters of a short name. */
const SHORT = 26;

/** @returns what a run is called beside another in a chart: its name, what makes it differ if that is one thing, or its number */
export function shortName(run: Described & Pick<KeptRun, 'name' | 'number'>, beside: Described | undefined): string {
  if (run.name !== '') return run.name;
  const differences = beside ? differencesBetween(beside, run) : [];
  const [only] = differences;
  if (differences.length !== 1 || only.path === 'name') return `Run ${run.number}`;
  const text = `${only.title.split(IN).at(-1)} ${only.after}`;
  return text.length <= SHORT ? text : `Run ${run.number}`;
}
