/**
 * What diagnostics need of a cycle, reduced on the device to a few numbers that are read once.
 *
 * - `ensembleScores`: mean square error of the mean, of the basin's mean level and of the pattern apart, and mean variance, by variable.
 * - `crps`, `rankHistogram`: of chosen variables.
 * - `wetCells`: the cells that such means are taken over.
 * - `innovationStatistics`: of the departures of one analysis.
 *
 * Sums are pairwise in float32 and in a fixed order: the same data give the same bits. Ensembles and truth are compared as
 * they are stored. Arrays: ensemble [members][variables][cells], truth [variables][cells].
 */
export type { EnsembleShape } from './parameters.ts';
export { INNOVATION_REPORT_LENGTH, innovationStatistics, readInnovationReport } from './innovation-statistics.ts';
export { counted, rankHistogram } from './rank-histogram.ts';
export { crps, ensembleScores } from './scores.ts';
export { wetCells } from './wet-cells.ts';
