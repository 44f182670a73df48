/** How a call of `shoal bench` continues one that was stopped: with what that one kept, if it is of the same kind. */
import {
  benchDocumentSchema,
  decodeUtf8,
  parseWrittenJson,
  type BenchDocument,
  type BenchRequest,
} from '../../../engine/index.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import { isSystemError, UsageError } from '../failure.ts';
import type { BenchFindings } from './report.ts';
import { stoppedPath } from './target.ts';

/** Every row of every paper takes a tenth of it. */
const MOST_BYTES = 8 * 2 ** 20;

/** @returns a document of `--json`. @throws UsageError that names the file and what is wrong in it */
export async function readBenchDocument(path: string): Promise<BenchDocument> {
  const { data, error } = benchDocumentSchema.safeParse(
    parseWrittenJson(decodeUtf8(await readRegularFile(path, MOST_BYTES), path), path),
  );
  if (data) return data;
  const [{ path: place, message }] = error.issues;
  throw new UsageError(`${path} holds no results of shoal bench: ${place.map(String).join('.')}: ${message}`);
}

function requestText({ suites, extent, backends, threads }: BenchRequest): string {
  return `${suites.join(' ')}; ${extent}; ${backends.join(' ')}${threads === null ? '' : `, ${threads} threads`}`;
}

/** What has to be the same for rows of two calls to be laid side by side, each in words. */
function conditionsOf(
  { system, processor, cores, versions }: BenchFindings['machine'],
  asked: BenchRequest | null,
): readonly (readonly [what: string, value: string])[] {
  const listed = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    ['machine', `${processor}, ${cores} cores, ${system}`],
    ['version', listed.join(', ')],
    ['set of options', asked === null ? 'unknown' : requestText(asked)],
  ];
}

/**
 * What a call with the same `--json` has kept before it was stopped.
 *
 * @param path of `--json`
 * @returns undefined if there is nothing
 * @throws UsageError where it comes from another machine, version or options
 */
export async function keptBefore(
  path: string,
  machine: BenchFindings['machine'],
  asked: BenchRequest,
): Promise<BenchDocument | undefined> {
  const stopped = stoppedPath(path);
  let kept;
  try {
    kept = await readBenchDocument(stopped);
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const wanted = conditionsOf(machine, asked);
  for (const [at, [what, found]] of conditionsOf(kept.machine, kept.asked).entries()) {
    const [, allowed] = wanted[at];
    if (found === allowed) continue;
    throw new UsageError(
      `--resume: ${stopped} has another ${what}: found ${found}, allowed: ${allowed}; omit --resume to begin again`,
    );
  }
  return kept;
}
