/** A minimisation by iteration for people: as the run carried it out, and without preconditioning beside it. */
import Table from 'cli-table3';
import type { MinimisationCourse, MinimisationExplanation } from '../../../engine/index.ts';

/** Rows at most: the document has them all. */
const MOST_ROWS = 24;
const COLUMNS = ['J', 'Jb', 'Jo', 'residual'] as const;

function digits(value: number | undefined): string {
  if (value === undefined) return '';
  const size = Math.abs(value);
  return size !== 0 && (size < 1e-3 || size >= 1e5) ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}

function cellsOf({ cost, backgroundCost, observationCost, residual }: MinimisationCourse, k: number): string[] {
  return [cost, backgroundCost, observationCost, residual].map((column) => digits(column[k]));
}

/** Iterations that have a row: all, or evenly some, with the last of both minimisations. */
function rowsOf({ preconditioned, plain }: MinimisationExplanation): readonly number[] {
  const last = Math.max(preconditioned.iterations, plain.iterations);
  const every = Math.ceil((last + 1) / MOST_ROWS);
  const rows = Array.from({ length: Math.floor(last / every) + 1 }, (_, row) => row * every);
  return [...new Set([...rows, preconditioned.iterations, plain.iterations])].sort((a, b) => a - b);
}

/** The extremes of what the iterations know of the spectrum. */
function spectrumOf({ ritzValues }: MinimisationCourse): string {
  const values = ritzValues.at(-1);
  if (!values || values.length === 0) return 'no Ritz values';
  const [low, high] = [values[0], values[values.length - 1]];
  return `Ritz values ${digits(low)} to ${digits(high)}, condition ${digits(high / low)}`;
}

export function formatMinimisation(explanation: MinimisationExplanation): string {
  const { preconditioned, plain } = explanation;
  const table = new Table({
    head: ['iteration', ...COLUMNS, ...COLUMNS.map((name) => `${name}\nwithout`)],
    colAligns: ['right', ...COLUMNS.map(() => 'right' as const), ...COLUMNS.map(() => 'right' as const)],
    style: { head: [], border: [] },
    // No rule between two iterations.
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  });
  for (const k of rowsOf(explanation)) table.push([String(k), ...cellsOf(preconditioned, k), ...cellsOf(plain, k)]);
  return [
    'minimisation, and the same without preconditioning',
    table.toString(),
    `${spectrumOf(preconditioned)}; without preconditioning ${spectrumOf(plain)}`,
  ].join('\n');
}
