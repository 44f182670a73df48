/** The run on screen as a run folder, like the one that `shoal run` writes: it can be opened, compared and continued. */
import { createMemoryStorage, createRunFolder, recordOf } from '../../../engine/index.ts';
import type { Ceilings, Checkpoint, CycleDiagnostics, StoredKernels } from '../../../engine/index.ts';
import { version } from '../../../package.json';
import type { SessionInfo } from '../session/session.ts';
import type { StoredRunKernels } from './session-state.ts';

export interface StoredResults {
  readonly info: SessionInfo;
  readonly diagnostics: ReadonlyMap<string, readonly CycleDiagnostics[]>;
  readonly kernels: Pick<StoredRunKernels, 'totals' | 'recent'>;
  /** What the kernels are measured against, where it is known. */
  readonly ceilings: Ceilings | undefined;
  readonly checkpoint: Checkpoint | undefined;
}

/** @returns the folder's files by name */
export async function runFolderFiles(
  { info, diagnostics, kernels, ceilings, checkpoint }: StoredResults,
  now: () => Date = () => new Date(),
): Promise<Readonly<Record<string, Uint8Array>>> {
  const { scenario, methods, cycles } = info;
  const backend = { name: info.backend.name, adapter: info.backend.adapter };
  const storage = createMemoryStorage();
  const place = { backend: backend.name, grid: [scenario.grid.nx, scenario.grid.ny], ceilings } as const;
  const storedKernels: StoredKernels = {
    records: kernels.recent.flatMap(({ cycle, timings }) => timings.map((timing) => recordOf(cycle, timing, place))),
    totals: kernels.totals,
    ceilings,
  };
  const folder = createRunFolder(storage, {
    identity: { scenario, seed: scenario.seed, backend },
    versions: { shoal: version },
    now,
    kernels: storedKernels,
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
  const byMethod = methods.map(({ label }) => new Map((diagnostics.get(label) ?? []).map((row) => [row.cycle, row])));
  // A run that goes on after its page broke down has no rows of the cycles before.
  const completed = [...(byMethod[0]?.keys() ?? [])].filter((cycle) => byMethod.every((rows) => rows.has(cycle)));
  for (const cycle of completed) {
    for (const rows of byMethod) {
      const row = rows.get(cycle);
      if (row) folder.listen({ type: 'diagnostics', diagnostics: row });
    }
    folder.listen({ type: 'cycle', cycle, cycles });
  }
  await folder.save(checkpoint);
  await folder.finish(completed.at(-1) === cycles - 1 ? 'complete' : 'stopped');
  return Object.fromEntries(storage.files);
}
