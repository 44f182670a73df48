/** The folder of a tuning: the folders of its cases, and at the end the tables of a sweep, which the map opens. */
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { assembleResults, formatResultsTable, keepCase } from '../../../engine/index.ts';
import type { CaseSummary, SweepPlan } from '../../../engine/index.ts';
import { disk, isUnfinished } from '../../files/disk.ts';
import { UsageError } from '../failure.ts';
import { isLock, lockFolder } from '../run/folder-lock.ts';
import { CASES_FOLDER, sweepAbandoned } from '../sweep/case-folders.ts';
import { RESULTS_FILE, TABLE_FILE } from '../sweep/folder.ts';

const OWN = new Set([CASES_FOLDER, RESULTS_FILE, TABLE_FILE]);

export interface TuningFolder {
  /** Absolute path of the cases. */
  readonly cases: string;
  /** Writes what is known of the cases of a plan. @throws WriteError */
  write(plan: SweepPlan, known: ReadonlyMap<string, CaseSummary>): Promise<void>;
  release(): Promise<void>;
}

/**
 * Finds or makes the folder, and takes it for this process alone. A case is found by its hash, so that cases of another tuning
 * beside it do no harm.
 *
 * @throws UsageError for a folder of something else, or one that another process writes; WriteError
 */
export async function claimTuningFolder(path: string): Promise<TuningFolder> {
  const absolute = resolve(path);
  await disk.makeFolder(absolute);
  const lock = await lockFolder(absolute);
  try {
    const other = (await readdir(absolute)).find((name) => !OWN.has(name) && !isLock(name) && !isUnfinished(name));
    if (other !== undefined) {
      throw new UsageError(
        `${path}: the folder holds ${other}, which is no part of a tuning; name another by --folder`,
      );
    }
    const cases = join(absolute, CASES_FOLDER);
    await disk.makeFolder(cases);
    await sweepAbandoned(cases);
    return {
      cases,
      async write(plan, known) {
        const results = assembleResults(plan, (hash) => {
          const found = known.get(hash);
          return found && keepCase(plan, found);
        });
        await disk.writeWhole(join(absolute, RESULTS_FILE), `${JSON.stringify(results)}\n`);
        await disk.writeWhole(join(absolute, TABLE_FILE), formatResultsTable(results));
      },
      release: () => lock.release(),
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}
