/** The run on screen as a run folder, like the one that `shoal run` writes: it can be opened, compared and continued. */
import { createMemoryStorage, createRunFolder } from '../../../engine/index.ts';
import type { BackendName, Checkpoint, CycleDiagnostics } from '../../../engine/index.ts';
import { version } from '../../../package.json';
import type { SessionInfo } from '../session/session.ts';
import type { KernelCycle } from './session-state.ts';

export interface StoredResults {
  readonly info: SessionInfo;
  readonly diagnostics: ReadonlyMap<string, readonly CycleDiagnostics[]>;
  readonly kernels: readonly KernelCycle[];
  readonly checkpoint: Checkpoint | undefined;
}

/** @returns the folder's files by name */
export async function runFolderFiles(
  { info, diagnostics, kernels, checkpoint }: StoredResults,
  now: () => Date = () => new Date(),
): Promise<Readonly<Record<string, Uint8Array>>> {
  const { scenario, methods, cycles } = info;
  const backend = { name: info.backend.name as BackendName, adapter: info.backend.adapter };
  const storage = createMemoryStorage();
  const folder = createRunFolder(storage, {
    identity: { scenario, seed: scenario.seed, backend },
    versions: { shoal: version },
    now,
  });
  folder.listen({
    type: 'start',
    scenario: scenario.name,
    seed: scenario.seed,
    backend,
    methods,
    variables: Object.keys([...diagnostics.values()][0]?.[0]?.rmse.analysis ?? { h: 0 }),
    cycles,
    firstCycle: 0,
    memoryBytes: info.memoryBytes,
  });
  const completed = Math.min(...methods.map(({ label }) => diagnostics.get(label)?.length ?? 0));
  for (let cycle = 0; cycle < completed; cycle += 1) {
    for (const { label } of methods) {
      const row = diagnostics.get(label)?.find((each) => each.cycle === cycle);
      if (row) folder.listen({ type: 'diagnostics', diagnostics: row });
    }
    const samples = kernels.find((each) => each.cycle === cycle)?.samples ?? [];
    for (const sample of samples) folder.listen({ type: 'kernel', cycle, sample });
    folder.listen({ type: 'cycle', cycle, cycles });
  }
  await folder.save(checkpoint);
  await folder.finish(completed === cycles ? 'complete' : 'stopped');
  return Object.fromEntries(storage.files);
}
