/** What a run and its branches hold in memory together, stated before a branch is opened. */
import { DEFAULT_MEMORY_BYTES, LimitError, estimateMemory, type Scenario } from '../../../engine/index.ts';
import { formatBytes } from '../../format/numbers.ts';

/**
 * @param lines the run and its branches, each as a scenario of its own
 * @param elementBytes of a real on the backend
 * @throws LimitError naming the estimate and the limit
 */
export function checkLines(
  lines: readonly Scenario[],
  elementBytes: number,
  limitBytes: number = DEFAULT_MEMORY_BYTES,
): void {
  const bytes = lines.map((scenario) => estimateMemory(scenario, elementBytes));
  const total = bytes.reduce((sum, each) => sum + each, 0);
  if (total <= limitBytes) return;
  const [ofRun, ...others] = bytes.map(formatBytes);
  throw new LimitError(
    `the run with ${others.length === 1 ? 'a branch' : `${others.length} branches`} needs about ${formatBytes(total)} ` +
      `(${ofRun} for the run, ${others.join(', ')} beside it), allowed: ${formatBytes(limitBytes)}; ` +
      `a smaller grid or fewer members make room`,
  );
}
