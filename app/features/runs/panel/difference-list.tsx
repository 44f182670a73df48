/** What makes a run differ from another, a line a setting. */
import type { RunDifference } from '../differences.ts';

interface DifferencesProperties {
  readonly differences: readonly RunDifference[];
  /** How many more there are. */
  readonly left: number;
  /** Which run it is against. */
  readonly against: string;
}

export function Differences({ differences, left, against }: DifferencesProperties) {
  return (
    <ul class="run-differences" aria-label={`Differs from ${against} in`}>
      {differences.map(({ path, title, before, after }) => (
        <li key={path} title={`Against ${against}: ${path}`}>
          {title} <span class="number">{before}</span>
          <span class="run-arrow"> → </span>
          <span class="number">{after}</span>
        </li>
      ))}
      {left > 0 && <li>and {left} more</li>}
    </ul>
  );
}
