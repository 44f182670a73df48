/** From what a tuning found to the scenario: its values, or its record, each one step that can be undone. */
import { isRecord, pointText, ScenarioError, withPoint, withScanRecord } from '../../../engine/index.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import type { TunedMethod } from './tuning-state.ts';

/** @returns whether the draft still has the method where it was tuned */
function isThere(draft: unknown, { plan: { method, parameters } }: TunedMethod): boolean {
  const methods: unknown = isRecord(draft) ? draft['methods'] : undefined;
  if (!Array.isArray(methods)) return false;
  return parameters.every(({ path }) => {
    const index = /^methods\[(\d+)\]/.exec(path)?.[1];
    if (index === undefined) return true;
    const entry: unknown = methods[Number(index)];
    return isRecord(entry) && (entry['label'] ?? entry['kind']) === method;
  });
}

/** Changes the draft as one step; where the scenario has changed so far that this cannot be, says so. */
function change(
  { notices: { notify } }: Pick<Laboratory, 'notices'>,
  { scenario: { draft, openings, editDraft } }: Pick<RunView, 'scenario'>,
  tuned: TunedMethod,
  edit: (draft: unknown) => unknown,
  title: string,
): boolean {
  const { method } = tuned.plan;
  if (openings.value !== tuned.opening || !isThere(draft.value, tuned)) {
    notify('warning', `The scenario has no longer the ${method} that was tuned`, {
      lines: ['Its values were left as they are. Tune it again.'],
    });
    return false;
  }
  try {
    editDraft(edit(draft.value), title);
    return true;
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    notify('warning', `The values of ${method} cannot be set`, { lines: error.problems.map(({ message }) => message) });
    return false;
  }
}

/** Sets the best values, and goes to the method's settings. */
export function setTunedValues(laboratory: Laboratory, run: RunView, tuned: TunedMethod): void {
  const { plan, result } = tuned;
  const best = result.found?.best.values;
  if (!best) return;
  const { parameters, method } = plan;
  const isSet = change(laboratory, run, tuned, (draft) => withPoint(draft, parameters, best), `tune ${method}`);
  laboratory.overlays.closeOverlay();
  if (!isSet) return;
  laboratory.notices.notify('information', `${method} has ${pointText(parameters, best)}; apply it, or undo`);
  laboratory.form.goToSetting(parameters[0].path);
}

/** Puts the record into the scenario, whose file then says how the setting was found. */
export function keepRecord(laboratory: Laboratory, run: RunView, tuned: TunedMethod): void {
  const { result, plan } = tuned;
  if (!result.found) return;
  const title = `keep the scan of ${plan.method}`;
  if (!change(laboratory, run, tuned, (draft) => withScanRecord(draft, result), title)) return;
  laboratory.notices.notify('information', 'The record is in the scenario; save it to keep it');
}
