/** Beneath the table of the methods: each against its like in the baseline, in percent, with the interval. */
import { useComputed } from '@preact/signals';
import { shortName, asItHappens, sameBytes, sameSettings } from './differences.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import type { DataTable } from '../../format/tables.ts';
import { runsOf } from './runs-state.ts';
import { compareRuns, describeAgainst, describeInRun, worldText } from '../../../engine/index.ts';
import type { Change, ComparedRun, RunsComparison } from '../../../engine/index.ts';
import { stateOf, summaryOf, type KeptRun } from './kept-run.ts';

/** The comparison of one method. */
interface AgainstBaseline {
  readonly label: string;
  /** Undefined if they have nothing in common. */
  readonly change: Change | undefined;
  /** As in `0.88 times (0.82 to 0.93), better in 21 of 25 cycles`, or over seeds `better on 9 of 10 seeds (…)`. */
  readonly words: string;
  /** Whether it is better over seeds; never of a single run. */
  readonly isBetter: boolean;
}

/**
 * The run on screen against the baseline, as `shoal compare` does it: over the cycles that both have where truth and observations
 * are the same, over seeds where the list has finished runs of both settings with the same ones.
 */
interface BaselineComparison {
  /** By method, those that both have; empty where they cannot be compared. */
  readonly methods: readonly AgainstBaseline[];
  /** What was compared, and over what; or why not. A sentence. */
  readonly why: string;
}

/** A word for the content of each file, the same where the content is. */
function filesOf({ files }: KeptRun, runs: readonly KeptRun[]): Readonly<Record<string, string>> {
  const contentOf = (name: string): number =>
    runs.findIndex((other) => other.files[name] !== undefined && sameBytes(other.files[name], files[name]));
  return Object.fromEntries(Object.keys(files).map((name) => [name, String(contentOf(name))]));
}

function comparedRun(run: KeptRun, runs: readonly KeptRun[]): ComparedRun {
  const { scenario, backend, versions, cycles, completed, methods, diverged } = run;
  return {
    name: `Run ${run.number}`,
    scenario,
    seed: scenario.seed,
    backend: backend as ComparedRun['backend'],
    versions,
    state: stateOf(run),
    cycles,
    completedCycles: completed,
    methods,
    diverged,
    files: filesOf(run, runs),
    summary: summaryOf(run),
  };
}

function sentence(why: string): string {
  const named = why.replaceAll('[1]', 'the baseline').replaceAll('[2]', 'the run on screen');
  return `${named[0].toUpperCase()}${named.slice(1)}.`;
}

function sameWorld(a: KeptRun, b: KeptRun): boolean {
  return worldText(asItHappens(a.scenario)) === worldText(asItHappens(b.scenario));
}

/** One run of each, of two seeds: their errors are against two truths. */
function seedsApart(baseline: KeptRun, onScreen: KeptRun): string {
  const [before, now] = [baseline.scenario.seed, onScreen.scenario.seed];
  return `Not compared: its seed is ${before}, that of the run on screen ${now}. Two finished runs of each on the same seeds can be.`;
}

/** What the numbers are, and what they do not say. */
function captionOf({ over, why, compared, seeds }: RunsComparison): string {
  if (over === undefined) return sentence(why);
  const error = `RMSE of the analysis of ${compared.join(' and ')}${compared.length > 1 ? ', their geometric mean' : ''}`;
  return over === 'seeds'
    ? `${error}, median of the differences over ${seeds.length} seeds.`
    : `Ratio of the errors (${error}) with the 95 % interval over the cycles in common. This is one seed, and other seeds may differ: to find out which is better, compare several seeds of both.`;
}

/** The pair of a method with its like in the first group: `letkf [2]` against `letkf [1]`. */
const SECOND = ' [2]';

function labelOf(name: string): string {
  return name.endsWith(SECOND) ? name.slice(0, -SECOND.length) : name;
}

function methodsOf({ over, comparisons }: RunsComparison): readonly AgainstBaseline[] {
  if (over === undefined) return [];
  if (over === 'cycles') {
    const pairs = comparisons.pairs.filter(({ reference }) => reference === 'first');
    return pairs.map(({ method, comparison }) => ({
      label: labelOf(method),
      change: comparison?.change,
      words: describeInRun(comparison),
      isBetter: false,
    }));
  }
  const pairs = comparisons.pairs.filter(({ reference }) => reference === 'first');
  return pairs.map(({ method, comparison }) => ({
    label: labelOf(method),
    change: comparison?.change,
    words: describeAgainst(comparison),
    isBetter: comparison?.verdict === 'a',
  }));
}

function comparisonOf(taken: readonly KeptRun[]): RunsComparison {
  return compareRuns(taken.map((run) => comparedRun(run, taken)));
}

/**
 * @param runs of the list
 * @returns undefined where the baseline is the run on screen, or one of them is not there
 */
export function againstBaseline(
  baseline: KeptRun | undefined,
  onScreen: KeptRun | undefined,
  runs: readonly KeptRun[],
): BaselineComparison | undefined {
  if (!baseline || !onScreen || baseline.id === onScreen.id) return undefined;
  if (sameSettings(baseline, onScreen)) {
    return { methods: [], why: 'The baseline has the same settings and another seed: there is nothing to compare.' };
  }
  const others = runs.filter(({ id }) => id !== baseline.id && id !== onScreen.id);
  const alike = others.filter((run) => sameSettings(run, baseline) || sameSettings(run, onScreen));
  const together = comparisonOf([baseline, onScreen, ...alike]);
  const found = together.over === 'seeds' ? together : comparisonOf([baseline, onScreen]);
  if (found.over === undefined && baseline.scenario.seed !== onScreen.scenario.seed && sameWorld(baseline, onScreen)) {
    return { methods: [], why: seedsApart(baseline, onScreen) };
  }
  return { methods: methodsOf(found), why: captionOf(found) };
}

export interface Baseline extends BaselineComparison {
  /** What the baseline is called. */
  readonly title: string;
}

/** @returns the comparison of the run on screen with the baseline; undefined if there is none, or it is the baseline itself */
export function useBaseline(): Baseline | undefined {
  const { runs, baselineRun, runOnScreen } = runsOf(useLaboratory());
  return useComputed(() => {
    const [baseline, onScreen] = [baselineRun.value, runOnScreen.value];
    const found = againstBaseline(baseline, onScreen, runs.value);
    return found && baseline && { ...found, title: shortName(baseline, onScreen) };
  }).value;
}

/** @returns the table of the methods with what each is against the baseline */
export function withBaseline(
  table: DataTable,
  baseline: Baseline | undefined,
  titleOf: (label: string) => string,
): DataTable {
  if (!baseline || baseline.methods.length === 0) return table;
  const { title, methods } = baseline;
  const byTitle = new Map(methods.map((each) => [titleOf(each.label), each]));
  const heads = ['change', 'low', 'high'].map((name) => `${name} against ${title} (%)`);
  return {
    columns: [...table.columns, ...heads, `against ${title}`],
    rows: table.rows.map((row) => {
      const found = byTitle.get(String(row[0]));
      const change = found?.change;
      const percent = (value: number | undefined): number | null =>
        change?.scale === 'relative' && value !== undefined && Number.isFinite(value) ? 100 * value : null;
      return [...row, percent(change?.estimate), percent(change?.low), percent(change?.high), found?.words ?? null];
    }),
  };
}

interface Properties {
  readonly baseline: Baseline;
  readonly styles: readonly MethodStyle[];
}

export function BaselineTable({ baseline: { title, methods, why }, styles }: Properties) {
  return (
    <div class="baseline">
      {methods.length > 0 && (
        <table class="results">
          <thead>
            <tr>
              <th scope="col">Against {title}</th>
              <th scope="col">Error of the analysis</th>
            </tr>
          </thead>
          <tbody>
            {methods.map(({ label, words, isBetter }) => {
              const style = styles.find((each) => each.label === label);
              return (
                <tr key={label}>
                  <th scope="row">
                    <i class="swatch" style={{ background: style?.colour ?? 'currentColor' }} />
                    {style?.title ?? label}
                  </th>
                  <td class={isBetter ? 'best' : undefined}>{words}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      <p class="figure-note">
        {methods.length === 0 && `Against ${title}: `}
        {why}
      </p>
    </div>
  );
}
