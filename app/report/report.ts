/** What a report is made of, and of which runs it draws figures. */
import { compareRuns, type ComparedMethods, type NotCompared, type RunGroup } from '../../engine/index.ts';
import type { ReportFonts } from './style.ts';
import type { Markup } from './markup.ts';
import type { ReportedRun } from './run/reported-run.ts';
import { titlesOf } from '../document/views/method-style.ts';

/** The most runs whose figures are beside each other; tables have all of them. */
const MOST_FIGURED = 4;

/** How the methods compare, in one run or over several. */
export type Comparison = (ComparedMethods | NotCompared) & AboutComparison;

interface AboutComparison {
  /** Variables by which they are compared. */
  readonly variables: readonly string[];
  /** Why several runs are compared in this way, or why not. */
  readonly why: string | undefined;
  readonly groups: readonly RunGroup[];
  /** What is omitted, and why; a sentence each. */
  readonly leftOut: readonly string[];
}

export interface Report {
  readonly runs: readonly ReportedRun[];
  /** Runs that have figures. */
  readonly figured: readonly ReportedRun[];
  readonly comparison: Comparison;
  /** When it was made, ISO 8601, and by which version of the program. */
  readonly made: string;
  readonly version: string;
  /** That writes it again. */
  readonly command: string | undefined;
  readonly fonts: ReportFonts;
}

/** A part of the page. */
export interface Section {
  /** Anchor of its place in the page. */
  readonly id: string;
  readonly title: string;
  readonly body: Markup;
}

function compareMethods({ compared, record }: ReportedRun): Comparison {
  const diverged = new Set(compared.diverged.map(({ method }) => method));
  const { groups, compared: variables } = compareRuns([compared]);
  return {
    variables,
    over: 'cycles',
    why: undefined,
    comparisons: compared.summary.comparisons(record.methods, diverged),
    groups,
    leftOut: compared.diverged.map(
      ({ method, cycle }) => `${method} has no part in it: it diverged in cycle ${cycle}.`,
    ),
  };
}

function compareAll(runs: readonly ReportedRun[]): Comparison {
  const found = compareRuns(runs.map(({ compared }) => compared));
  return { ...found, variables: found.compared };
}

/** One run of each settings before a second one of any. */
function figuredOf(runs: readonly ReportedRun[], groups: readonly RunGroup[]): readonly ReportedRun[] {
  const longest = Math.max(0, ...groups.map((group) => group.runs.length));
  const order = Array.from({ length: longest }, (_, nth) => groups.flatMap((group) => group.runs.slice(nth, nth + 1)));
  const chosen = new Set(order.flat().slice(0, MOST_FIGURED));
  return runs.filter(({ compared }) => chosen.has(compared));
}

/**
 * @param runs one or more, each with a name of its own
 * @param about when and by what the report is made
 */
export function createReport(
  runs: readonly ReportedRun[],
  about: Pick<Report, 'made' | 'version' | 'command' | 'fonts'>,
): Report {
  const [first] = runs;
  const comparison = runs.length === 1 ? compareMethods(first) : compareAll(runs);
  return { runs, figured: figuredOf(runs, comparison.groups), comparison, ...about };
}

/** @returns the prefix of a run's name if there are several: the number of its settings */
function numberOf({ comparison }: Pick<Report, 'comparison'>, run: ReportedRun): number | undefined {
  return comparison.groups.find((group) => group.runs.includes(run.compared))?.number;
}

/** @returns what a method is called in comparisons: its title, with the number of its settings if there are several */
export function nameIn({ runs, comparison }: Report): (name: string) => string {
  const [run] = runs;
  if (comparison.groups.length < 2) return titlesOf(run.styles);
  return (name) => {
    const [, label, number] = /^(.*) \[(\d+)\]$/s.exec(name) ?? [];
    const owner = runs.find((each) => String(numberOf({ comparison }, each)) === number);
    return owner && label !== undefined ? `${titlesOf(owner.styles)(label)} [${number}]` : name;
  };
}

/** @returns what a run's figures are headed by: nothing if there is one run alone */
export function headOf(report: Report, run: ReportedRun): string | undefined {
  if (report.runs.length === 1) return undefined;
  const number = numberOf(report, run);
  return `${number === undefined ? '' : `[${number}] `}${run.name}, seed ${run.record.seed}`;
}

/** @returns the first cycle that means are over, and the last one there is */
export function countedCycles({ scenario, record }: ReportedRun): { readonly from: number; readonly to: number } {
  const { spinup } = scenario.experiment;
  return { from: spinup < record.cycles ? spinup : 0, to: record.completedCycles - 1 };
}
