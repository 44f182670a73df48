/** What the charts of the water's budgets draw, in the window and in reports. */
import type { Budget, CycleDiagnostics } from '../../engine/index.ts';
import type { Point } from '../plot/decimate.ts';

type Budgets = NonNullable<NonNullable<CycleDiagnostics['consistency']>['budgets']>;

export interface BudgetChart {
  readonly title: string;
  readonly unit: string;
  /** What good looks like, and what it would say otherwise. */
  readonly caption: string;
  /** Undefined where it is drawn against the truth, which is then no line of its own. */
  readonly ofTruth: ((truth: Budget) => number | undefined) | undefined;
  /** Undefined where a run has no such thing. */
  readonly of: (budgets: Budgets) => number | undefined;
}

/** What is in the water. */
export const CONTENT_CHARTS: readonly BudgetChart[] = [
  {
    title: 'Mass over the truth’s, less 1',
    unit: '%',
    caption:
      'Mass of the analysis against that of the truth: 0 where increments neither fill nor empty the basin; above it they bring in water, below it they take it out.',
    ofTruth: undefined,
    of: ({ analysis, truth }) => 100 * (analysis.mass / truth.mass - 1),
  },
  {
    title: 'Energy',
    unit: 'm⁵/s²',
    caption:
      'Energy over density, above that of the same water at rest: on the truth’s line the mean has its waves. Below it members disagree and waves are averaged away, above it the analyses add waves.',
    ofTruth: ({ energy }) => energy,
    of: ({ analysis }) => analysis.energy,
  },
  {
    title: 'Potential enstrophy',
    unit: 'm/s²',
    caption:
      'Potential enstrophy: on the truth’s line the mean has its eddies. Above it the analyses add eddies or noise, below it they smooth them away.',
    ofTruth: ({ potentialEnstrophy }) => potentialEnstrophy,
    of: ({ analysis }) => analysis.potentialEnstrophy,
  },
];

/** How calm the water is. */
export const BALANCE_CHARTS: readonly BudgetChart[] = [
  {
    title: 'Mean |∂η/∂t| after the analysis',
    unit: 'm/s',
    caption:
      'How fast the surface moves after the analysis: on the truth’s line it moves as it should. Above it the analysis sets off waves of its own, below it it smooths the flow.',
    ofTruth: ({ tendency }) => tendency,
    of: ({ analysis }) => analysis.tendency,
  },
  {
    title: 'Ageostrophic share of kinetic energy',
    unit: '%',
    caption:
      'Share of motions out of geostrophic balance after the analysis: on the truth’s line the increments are as balanced as the flow. Above it they put energy into such motions, below it they take them out.',
    ofTruth: ({ ageostrophicShare }) => inPercent(ageostrophicShare),
    of: ({ analysis }) => inPercent(analysis.ageostrophicShare),
  },
];

export const BUDGET_CHARTS: readonly BudgetChart[] = [...CONTENT_CHARTS, ...BALANCE_CHARTS];

function inPercent(share: number | undefined): number | undefined {
  return share === undefined ? undefined : 100 * share;
}

/** @returns what a chart draws, a point a cycle that has it */
export function budgetPoints(rows: readonly CycleDiagnostics[], of: (budgets: Budgets) => number | undefined): Point[] {
  return rows.flatMap(({ cycle, consistency }) => {
    const y = consistency?.budgets && of(consistency.budgets);
    return y === undefined ? [] : [{ x: cycle, y }];
  });
}

/** What is zero throughout, as potential enstrophy of water without eddies, says nothing. */
export function saysSomething(lines: readonly (readonly Point[])[]): boolean {
  return lines.some((points) => points.some(({ y }) => y !== 0));
}
