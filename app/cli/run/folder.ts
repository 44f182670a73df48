/** Which run folder a run gets, and what lies in it when the run is to be continued. */
import { readdir } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { readRun, ScenarioError } from '../../../engine/index.ts';
import type { Scenario, Storage, StoredRun } from '../../../engine/index.ts';
import { UsageError } from '../failure.ts';
import { createNodeStorage } from '../node-storage.ts';

const RUNS = 'runs';

export interface ChosenFolder {
  readonly path: string;
  readonly storage: Storage;
  /** The run to continue. */
  readonly stored: StoredRun | undefined;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** `20261120T091500`, in UTC. */
function timestamp(time: Date): string {
  return time.toISOString().replaceAll(/[-:]|\..*$/g, '');
}

function prefixOf({ name, seed }: Scenario): string {
  return `${name}-${seed}-`;
}

async function freshFolder(scenario: Scenario, now: Date): Promise<string> {
  const first = join(RUNS, `${prefixOf(scenario)}${timestamp(now)}`);
  let path = first;
  for (let n = 2; (await namesIn(path)).length > 0; n++) path = `${first}-${n}`;
  return path;
}

async function openStored(path: string): Promise<ChosenFolder> {
  const storage = createNodeStorage(path);
  const stored = await readRun(storage).catch((error: unknown) => {
    throw error instanceof ScenarioError ? new ScenarioError(error.problems.map((line) => path + sep + line)) : error;
  });
  if (!stored) throw new UsageError(`${path}: nothing to resume, there is no run.json in it`);
  return { path, storage, stored };
}

async function latestUnfinished(scenario: Scenario): Promise<ChosenFolder> {
  const prefix = prefixOf(scenario);
  const names = (await namesIn(RUNS)).filter((name) => name.startsWith(prefix)).sort();
  for (const name of names.reverse()) {
    const storage = createNodeStorage(join(RUNS, name));
    const stored = await readRun(storage).catch(() => undefined);
    if (stored && stored.record.state !== 'complete') return { path: join(RUNS, name), storage, stored };
  }
  throw new UsageError(`nothing to resume: no unfinished ${join(RUNS, prefix)}… here; name the folder by --out`);
}

/**
 * @param out the folder that was asked for
 * @throws UsageError when a new run would overwrite something, or there is nothing to resume
 */
export async function chooseFolder(
  scenario: Scenario,
  { out, resume = false }: { readonly out?: string; readonly resume?: boolean },
  now: Date,
): Promise<ChosenFolder> {
  if (resume) return out === undefined ? latestUnfinished(scenario) : openStored(out);
  if (out !== undefined && (await namesIn(out)).length > 0) {
    const what = (await namesIn(out)).includes('run.json') ? 'holds a run' : 'is not empty';
    throw new UsageError(
      `${out}: the folder ${what}; use --resume to continue a run, or name another than ${basename(out)}`,
    );
  }
  const path = out ?? (await freshFolder(scenario, now));
  return { path, storage: createNodeStorage(path), stored: undefined };
}
