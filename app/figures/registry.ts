/**
 * The figures, in the order in which each part of the evidence and each part of a report has them. A new figure has a file of its
 * own and a line here: the panel of the evidence, the palette, reports and saved files follow.
 */
import type { EvidenceTab } from '../page/overlays.ts';
import { BUDGETS, IMBALANCE } from './budgets.ts';
import { ERRORS } from './errors.ts';
import type { FigureEntry, FigureRun } from './figure-data.ts';
import { IMPACT_BY_NETWORK } from './impact-by-network.ts';
import { INNOVATIONS } from './innovations.ts';
import { LEVEL_PATTERN } from './level-pattern.ts';
import { OCTAVES } from './octaves.ts';
import { RANKS, SAMPLED_RANKS } from './ranks.ts';
import { BY_REGION } from './regions.ts';
import { SCORE } from './score.ts';
import { SMOOTHING } from './smoothing.ts';
import { SPECTRUM } from './spectra.ts';
import { SPREAD_SKILL } from './spread-skill.ts';

/** By the part of the evidence. What has no data here is drawn by a component of its own. */
export const EVIDENCE_FIGURES: Readonly<Record<EvidenceTab, readonly FigureEntry[]>> = {
  errors: [
    ERRORS,
    { id: 'methods', name: 'Table of the methods', words: 'skill results csv' },
    { id: 'branches' },
    SMOOTHING,
    LEVEL_PATTERN,
    BY_REGION,
    SPECTRUM,
    RANKS,
  ],
  observations: [
    IMPACT_BY_NETWORK,
    INNOVATIONS,
    { id: 'impact', name: 'Impact of the observations', words: 'efso sensitivity forecast helped which gauge network' },
  ],
  consistency: [
    { id: 'consistency', name: 'Consistency', words: 'desroziers reliability balance budgets' },
    SPREAD_SKILL,
    SAMPLED_RANKS,
    SCORE,
    OCTAVES,
    BUDGETS,
    IMBALANCE,
  ],
  minimiser: [{ id: 'minimisation', name: 'Minimisation', words: 'cost residual ritz condition 3d-var' }],
  probes: [],
  xray: [
    { id: 'bayes', name: 'One observation', words: 'prior likelihood posterior gain bayes' },
    { id: 'weights', name: 'Weights of the members', words: 'letkf transform degrees of freedom' },
    { id: 'influence', name: 'Influence of the observations', words: 'contribution increment gain' },
  ],
  hovmoller: [{ id: 'hovmoller', name: 'Hovmöller plot', words: 'ring time space waves' }],
  speed: [{ id: 'kernels', name: 'Kernel times', words: 'milliseconds bandwidth flops' }],
};

/** A part of a report that has figures. */
export interface FigureSection {
  readonly id: string;
  readonly title: string;
  /** What all its figures have in common. */
  readonly intro?: (run: Pick<FigureRun, 'from' | 'to'>) => string;
  readonly figures: readonly FigureEntry[];
  /** Whether the same figure of several runs is drawn side by side, with one axis of values. */
  readonly isCompared?: boolean;
}

export const REPORT_FIGURES = {
  curves: {
    id: 'curves',
    title: 'Error, spread and skill',
    figures: [ERRORS, SMOOTHING, LEVEL_PATTERN, BY_REGION, INNOVATIONS, IMPACT_BY_NETWORK],
    isCompared: true,
  },
  consistency: { id: 'consistency-curves', title: 'Consistency in curves', figures: [SPREAD_SKILL, OCTAVES, SCORE] },
  ranks: {
    id: 'ranks',
    title: 'Rank histograms',
    intro: ({ from, to }) =>
      `Where the truth ranks among the members of the forecast, every eighth cell that is wet, over the cycles ${from} to ${to}. Flat: truth and members are alike. High at both ends: too little spread; in the middle: too much. Neighbouring cells and cycles are correlated, so p is too small.`,
    figures: [RANKS],
  },
  spectra: {
    id: 'spectra',
    title: 'Spectra',
    intro: () =>
      'Variance by wavenumber, averaged over directions, in the functions that fit the basin’s boundaries; finer grids than 128 cells along an axis are averaged over blocks of cells first.',
    figures: [SPECTRUM],
  },
  budgets: { id: 'budgets', title: 'Budgets', figures: [BUDGETS, IMBALANCE], isCompared: true },
} satisfies Readonly<Record<string, FigureSection>>;
