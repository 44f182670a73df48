/**
 * The self-check: what has to hold on every machine and backend, measured where it is asked for. Adjoints, gradient, equivalences,
 * operators and runs against the reference, exact solutions, a published benchmark; each with its number, its bar, and where the
 * bar comes from. The tests measure with the same code.
 */
export type { CheckCase, CheckContext } from './check-case.ts';
export { checkDocument } from './document.ts';
export type { CheckDocument, CheckedBackend, CheckProvenance, CheckResult, Evidence } from './document.ts';
export { passes, shareOfBar, shownBar, shownNumber } from './measures.ts';
export type { Bar } from './measures.ts';
export { CHECK_CASES, runCheck } from './run.ts';
export type { CheckListener, CheckOptions } from './run.ts';
