/** What a tuning found, in words: the best with its interval, its edge, its consistency, and what can be done with it. */
import { consistencyFindings, describeTuning, findingText } from '../../../../engine/index.ts';
import type { TuningResult } from '../../../../engine/index.ts';
import { Icon } from '../../../controls/icons.tsx';
import { useRun } from '../../../document/context.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { unbroken } from '../../../format/numbers.ts';
import type { TunedMethod } from '../tuning-state.ts';
import { keepRecord, setTunedValues } from '../use-tuned.ts';

/** Whether the scenario had the best values when it was tuned. */
function isPresent({ parameters, found }: TuningResult): boolean {
  return parameters.every(({ present }, axis) => present === found?.best.values[axis]);
}

export function TuningFindings({ tuned }: { readonly tuned: TunedMethod }) {
  const laboratory = useLaboratory();
  const run = useRun();
  const { plan, result } = tuned;
  const [first, ...others] = describeTuning(result);
  const findings = consistencyFindings(plan, result);
  return (
    <section class="tuning-findings" aria-label="What was found">
      <p class="tuning-best">{unbroken(first)}</p>
      {others.map((text) => (
        <p key={text}>{unbroken(text)}</p>
      ))}
      {findings.length > 0 && (
        <ul>
          {findings.map((finding) => (
            <li key={finding.title} class={finding.isGood ? 'good' : 'off'}>
              <Icon name={finding.isGood ? 'information' : 'warning'} />
              <span>{unbroken(findingText(finding))}</span>
            </li>
          ))}
        </ul>
      )}
      {result.found && (
        <div class="tuning-actions">
          <button
            type="button"
            class="button primary"
            disabled={isPresent(result)}
            onClick={() => setTunedValues(laboratory, run, tuned)}
          >
            Use these
          </button>
          <button type="button" class="button" onClick={() => keepRecord(laboratory, run, tuned)}>
            Keep the record
          </button>
        </div>
      )}
    </section>
  );
}
