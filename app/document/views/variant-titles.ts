/** Titles of methods that were added to another of their kind: what differs, in place of a number. */
import { changesBetween, type Scenario } from '../../../engine/index.ts';
import { settingTitle } from '../lines/branch-title.ts';
import { formatNumber } from '../../format/numbers.ts';
import { kindTitle } from './method-style.ts';

/** Differences that a title names. */
const MOST_DIFFERENCES = 2;

type Method = Scenario['methods'][number];

/** @returns whether a label is one that the form made: `letkf 2` */
function isNumbered({ label, kind }: Method): boolean {
  return label.startsWith(`${kind} `) && /^\d+$/.test(label.slice(kind.length + 1));
}

function valueWords(value: unknown): string | undefined {
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' ? value : undefined;
}

/** @returns `inflation 1.2`, or several, for a method against the first of its kind */
function differences(scenario: Scenario, index: number, first: number): readonly string[] {
  const { methods } = scenario;
  const alike = methods.with(first, { ...methods[index], label: methods[first].label });
  return changesBetween(scenario, { ...scenario, methods: alike }).flatMap(({ path, after }) => {
    const words = valueWords(after);
    const title = settingTitle(scenario, path);
    return words === undefined || title === undefined ? [] : [`${title} ${words}`];
  });
}

/** @returns by label, the titles of methods with a numbered label: `LETKF, half-width 8`, or `LETKF 2` if nothing differs */
export function variantTitles(scenario: Scenario): ReadonlyMap<string, string> {
  const { methods } = scenario;
  return new Map(
    methods.flatMap((method, index) => {
      const first = methods.findIndex(({ kind }) => kind === method.kind);
      if (first === index || !isNumbered(method)) return [];
      const found = differences(scenario, index, first).slice(0, MOST_DIFFERENCES);
      const title = kindTitle(method.kind);
      const number = method.label.slice(method.kind.length);
      return [[method.label, found.length > 0 ? `${title}, ${found.join(', ')}` : `${title}${number}`] as const];
    }),
  );
}
