/**
 * How a method looks wherever it appears (view titles, curves, tables): a fixed hue of the Okabe–Ito family for its kind, darkened on
 * light ground to keep 4.5:1, and never colour alone: each has its own dash and mark as well. And what it is called: where a scenario
 * has one several times its title says what differs, by the titles that the settings have in the window; so do those of branches.
 */
import { METHODS, changesBetween, branchTitle, isSetting, schemaAt } from '../../../engine/index.ts';
import type { Appearance, Marker, MethodDefinition, MethodSummary, Scenario } from '../../../engine/index.ts';
import { formatNumber } from '../../format/numbers.ts';
import { parsePath } from '../../format/paths.ts';

export interface MethodStyle {
  readonly label: string;
  /** The scenario's `kind`; of the truth its label. */
  readonly kind: string;
  /** For people: the scenario's label, or the kind's name as the field writes it. */
  readonly title: string;
  /** CSS colour that follows the theme. */
  readonly colour: string;
  /** The same as numbers, for canvases and exported figures. */
  readonly dark: string;
  readonly light: string;
  /** SVG stroke-dasharray; empty for a solid line. */
  readonly dash: string;
  readonly marker: Marker;
}

/** Label that the truth goes by in views; no method may be confused with it, since it is not a scenario's. */
export const TRUTH = '\u0000truth';

/** @returns whether a subject is a truth: that of the run, or that of a branch, whose name ends in it */
export function isTruth(subject: string): boolean {
  return subject.endsWith(TRUTH);
}

/** Appearance of kinds that this program does not know, as in a run of a later version. */
const OTHER: Appearance = { shades: [['#cc79a7', '#a34578']], dash: '4 4', marker: 'star' };

/** Dashes of the second, third, … method of one kind. */
const FURTHER_DASHES = ['4 2', '12 4', '3 2 3 6'];

export const TRUTH_STYLE: MethodStyle = {
  label: TRUTH,
  kind: TRUTH,
  title: 'Truth',
  colour: 'light-dark(#14181d, #ffffff)',
  dark: '#ffffff',
  light: '#14181d',
  dash: '',
  marker: 'wye',
};

function definitionOf(
  kind: string,
): Pick<MethodDefinition, 'title' | 'shortTitle' | 'appearance' | 'assimilates'> | undefined {
  return METHODS.find((definition) => definition.kind === kind);
}

/** @returns whether methods of a kind learn nothing from observations */
export function isFreeRun(kind: string): boolean {
  return definitionOf(kind)?.assimilates === false;
}

/** @returns the title of a kind of method, as the field writes it */
export function kindTitle(kind: string): string {
  const definition = definitionOf(kind);
  return definition?.shortTitle ?? definition?.title ?? kind;
}

/** Hues for the second, third, … method of a kind, in the order in which they are given away. */
const FURTHER_HUES: Appearance['shades'] = [
  ['#cc79a7', '#a34578'],
  ['#f0e442', '#746a00'],
  ['#009e73', '#007a58'],
  ['#b39ddb', '#6a4fa3'],
  ['#ff7f50', '#b8430a'],
  ['#e69f00', '#946200'],
  ['#56b4e9', '#0b6fa8'],
];

/** @returns the hue of a kind of method */
function ownOf(kind: string): Appearance['shades'][number] {
  return (definitionOf(kind)?.appearance ?? OTHER).shades[0];
}

/** @returns the hue of each method: that of its kind for the first of it, and for the others one that no method has */
function huesOf(kinds: readonly string[]): readonly Appearance['shades'][number][] {
  const taken = new Set(kinds.map((kind) => ownOf(kind)[0]));
  return kinds.map((kind, index) => {
    if (kinds.indexOf(kind) === index) return ownOf(kind);
    const free = FURTHER_HUES.find(([dark]) => !taken.has(dark)) ?? FURTHER_HUES[index % FURTHER_HUES.length];
    taken.add(free[0]);
    return free;
  });
}

/**
 * @param titles of methods whose labels say too little
 * @returns a style for each method, in their order; methods of one kind differ in hue and dash
 */
export function methodStyles(
  methods: readonly MethodSummary[],
  titles: ReadonlyMap<string, string> = new Map(),
): readonly MethodStyle[] {
  const seen = new Map<string, number>();
  const hues = huesOf(methods.map(({ kind }) => kind));
  return methods.map(({ label, kind }, index) => {
    const style = definitionOf(kind)?.appearance ?? OTHER;
    const ordinal = seen.get(kind) ?? 0;
    seen.set(kind, ordinal + 1);
    const [dark, light] = hues[index];
    return {
      label,
      kind,
      title: titles.get(label) ?? (label === kind ? kindTitle(kind) : label),
      colour: `light-dark(${light}, ${dark})`,
      dark,
      light,
      dash: ordinal === 0 ? style.dash : FURTHER_DASHES[(ordinal - 1) % FURTHER_DASHES.length],
      marker: style.marker,
    };
  });
}

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

/** @returns what a method is called for people, by its label; the label if none has it */
export function titlesOf(styles: readonly Pick<MethodStyle, 'label' | 'title'>[]): (label: string) => string {
  return (label) => styles.find((style) => style.label === label)?.title ?? label;
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
