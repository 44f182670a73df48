/** After the page broke down and was loaded anew: the run that it left goes on from its last checkpoint. */
import { validateScenario } from '../../../engine/index.ts';
import type { Recovery } from '../session/recovery.ts';
import { notify } from './notices.ts';
import { runController } from './run-controller.ts';
import { adoptScenario, markApplied } from './scenario-state.ts';

export function openRecovery({ scenario, files, checkpoint }: Recovery): void {
  adoptScenario(validateScenario(scenario, 'the interrupted run'), {
    name: `${scenario.name}.json`,
    kind: 'file',
    files,
  });
  markApplied();
  runController().start(scenario, files, { checkpoint });
  notify('warning', 'The run was interrupted', {
    lines: [`It goes on from cycle ${checkpoint.cycle}, its last checkpoint.`],
  });
}
