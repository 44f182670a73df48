/** `shoal bench --tune`: picks the variants of the kernels again, prints what each candidate took, and keeps the choices. */
import { tuningTasks } from '../../../engine/index.ts';
import type { BackendName } from '../../../engine/index.ts';
import { EXIT } from '../context.ts';
import type { Context, ExitCode } from '../context.ts';
import { thisMachine } from '../machine.ts';
import { openBackend } from '../select-backend.ts';
import type { BackendPlace } from '../select-backend.ts';
import { keepTuning, tuneAwake } from '../tuning/first-use.ts';
import { formatTuning, tuningDocument } from '../tuning/report.ts';
import type { BackendTuned } from '../tuning/report.ts';
import { createTuningFiles } from '../tuning/store.ts';
import { versionsOf } from '../versions.ts';
import { writeDocument } from './target.ts';
import type { JsonTarget } from './target.ts';

/** Budget of a backend: every candidate is shown, and a driver may take a while to compile one. */
const BUDGET_MILLISECONDS = 3000;

/** @throws BackendError, DeviceLostError, WriteError of the document */
export async function tuneBackends(
  { terminal, installation }: Context,
  names: readonly BackendName[],
  place: BackendPlace,
  target: JsonTarget,
): Promise<ExitCode> {
  const files = createTuningFiles();
  const tuned: BackendTuned[] = [];
  for (const name of names) {
    const backend = await openBackend(name, place);
    try {
      if (!backend.tuning) {
        terminal.note(`${name}: each kernel has one form, there is nothing to tune`);
        continue;
      }
      const findings = await tuneAwake(backend, tuningTasks(name), { budgetMilliseconds: BUDGET_MILLISECONDS });
      tuned.push({ backend: name, findings });
      for (const line of formatTuning({ backend: name, findings })) terminal.print(line);
      await keepTuning(files, findings.record, terminal);
    } finally {
      backend.dispose();
    }
  }
  const document = tuningDocument({ ...thisMachine(), versions: versionsOf(installation) }, tuned);
  terminal.printJson(document);
  if (target?.kind === 'file') {
    await writeDocument(target.path, document);
    terminal.note(`written: ${target.path}`);
  }
  return EXIT.done;
}
