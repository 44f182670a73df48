/** What analyses have in common that minimise J in control space, whatever their covariance is: 3D-Var and the hybrid. */
export { createBackgroundVariance } from './background-variance.ts';
export { explainVariational } from './explanation.ts';
export { createIncrementalAnalysis } from './incremental-analysis.ts';
export { minimisationField } from './settings.ts';
export { staticDeviations } from './static-deviations.ts';
