/**
 * Titles of methods that a scenario has several times, and of branches: what differs, in place of a number, by the titles that the
 * settings have in the window.
 */
import { changesBetween, type Scenario, branchTitle, isSetting, schemaAt } from '../../../engine/index.ts';
import { formatNumber } from '../../format/numbers.ts';
import { kindTitle, type MethodStyle } from './method-style.ts';
import { parsePath } from '../../format/paths.ts';

/** Names of this many letters, as those of variables, say nothing alone. */
const LEAST_LETTERS = 3;

/** A method of the run, and what it is called. */
type Named = Pick<MethodStyle, 'label' | 'title'>;

function lowerFirst(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** @returns `half-width` for `methods[1].localisation.halfWidth`; `standard deviation of h` for what is of a variable */
function settingTitle(scenario: Scenario, path: string): string | undefined {
  const keys = parsePath(path);
  const titleAt = (of: readonly (string | number)[]): string | undefined => schemaAt(scenario, of)?.title;
  const own = keys && titleAt(keys);
  if (!own) return undefined;
  if (own.length >= LEAST_LETTERS) return lowerFirst(own);
  const around = titleAt(keys.slice(0, -1));
  return around && `${lowerFirst(around)} of ${own}`;
}

/** @returns `LETKF: half-width 4 → 8` */
export function branchWords(scenario: Scenario, index: number, styles: readonly Named[]): string {
  const title = branchTitle(scenario, index);
  const { name, interventions } = scenario.branches[index];
  if (name !== undefined) return name;
  const settings = interventions.filter(isSetting).reduce((words, { path }) => {
    const inside = path.replace(/^(methods|observations)\[\d+\]\./, '');
    const found = settingTitle(scenario, path);
    return found === undefined ? words : words.replace(inside, found);
  }, title);
  return styles.reduce((words, style) => words.replaceAll(ownerOf(style.label), ownerOf(style.title)), settings);
}

function ownerOf(name: string): string {
  return `${name}: `;
}

/** @returns the words without the method that they are of, for a view of that method */
export function withoutOwner(words: string, { title }: Pick<Named, 'title'>): string {
  return words.replaceAll(ownerOf(title), '');
}

/** Differences that a title names. */
const MOST_DIFFERENCES = 2;

type Method = Scenario['methods'][number];

/** @returns the label without the number that the form adds to a copy: `letkf` of `letkf 2` */
function baseOf({ label }: Method): string {
  return label.replace(/ \d+$/, '');
}

/** @returns the indices of methods that are variants of one: of one kind, with one label but for the form's numbers */
function variantsOf({ methods }: Scenario): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>();
  methods.forEach((method, index) => {
    const key = JSON.stringify([method.kind, baseOf(method)]);
    groups.set(key, [...(groups.get(key) ?? []), index]);
  });
  return [...groups.values()].filter((group) => {
    const base = baseOf(methods[group[0]]);
    // A label such as `run 2` without a `run` was chosen by the user.
    return group.length > 1 && group.some((index) => methods[index].label === base);
  });
}

function valueWords(value: unknown): string | undefined {
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value) && value.every((each) => typeof each === 'number'))
    return value.map(formatNumber).join(', ');
  return typeof value === 'string' ? value : undefined;
}

/** What variants have at the settings in which any of them differs from the first, in words. */
function differing(scenario: Scenario, [first, ...others]: readonly number[]): ReadonlyMap<number, readonly string[]> {
  const { methods } = scenario;
  /** By path, the first's value and those of the others, by their index. */
  const values = new Map<string, Map<number, unknown>>();
  for (const other of others) {
    const alike = methods.with(first, { ...methods[other], label: methods[first].label });
    for (const { path, before, after } of changesBetween(scenario, { ...scenario, methods: alike })) {
      const at = values.get(path) ?? new Map([[first, before]]);
      values.set(path, at.set(other, after));
    }
  }
  return new Map(
    [first, ...others].map((index) => [
      index,
      [...values].flatMap(([path, at]) => {
        const words = valueWords(at.has(index) ? at.get(index) : at.get(first));
        const title = settingTitle(scenario, path);
        return words === undefined || title === undefined ? [] : [`${title} ${words}`];
      }),
    ]),
  );
}

/** @returns by label, the titles of variants: `LETKF · half-width 8`; with the number that the label has if that says no more */
export function variantTitles(scenario: Scenario): ReadonlyMap<string, string> {
  const { methods } = scenario;
  return new Map(
    variantsOf(scenario).flatMap((group) => {
      const words = differing(scenario, group);
      const base = baseOf(methods[group[0]]);
      const title = base === methods[group[0]].kind ? kindTitle(base) : base;
      const titles = group.map((index) => [title, ...(words.get(index) ?? []).slice(0, MOST_DIFFERENCES)].join(' · '));
      return group.map((index, place) => {
        const { label } = methods[index];
        const isOwn = titles.indexOf(titles[place]) === place;
        return [label, isOwn ? titles[place] : `${titles[place]} (${label.slice(base.length + 1)})`] as const;
      });
    }),
  );
}
