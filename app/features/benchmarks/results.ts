/** Results of benchmarks, wherever they were measured: here, or in a file of `shoal bench --json`, which anybody may have written. */
import {
  benchDocumentSchema,
  benchmarkCeilings,
  decodeUtf8,
  formatPath,
  parseWrittenJson,
  ScenarioError,
} from '../../../engine/index.ts';
import type { BenchBackend, BenchDocument, Ceilings } from '../../../engine/index.ts';

export interface BenchmarkResults extends Pick<BenchDocument, 'backends' | 'rows' | 'failures'> {
  /** Where they come from: a file's name, or that it was here. */
  readonly source: string;
  /** The machine, for people; empty where only its backend is known. */
  readonly machine: string;
}

/** The source of results that this page has timed. */
export const TIMED_HERE = 'timed here';

/**
 * @param beside measured beside a run, while the machine may have been busy
 * @param results of benchmarks, which measure the ceilings by themselves if they were timed here
 * @returns the better of both, part by part: load can only make a ceiling look lower
 */
export function betterCeilings(
  beside: Ceilings | undefined,
  results: BenchmarkResults | undefined,
  backend: string,
): Ceilings | undefined {
  const alone = results?.source === TIMED_HERE ? results.backends.find(({ name }) => name === backend) : undefined;
  if (!beside || !alone) return beside;
  const { copyGBs, fmaGFLOPs } = alone.ceilings;
  return {
    ...beside,
    copyGigabytesPerSecond: Math.max(beside.copyGigabytesPerSecond, copyGBs),
    fmaGigaflopsPerSecond: Math.max(beside.fmaGigaflopsPerSecond, fmaGFLOPs),
  };
}

/** The largest file that is read: a document of every row of every paper has a tenth of it. */
export const MOST_RESULT_BYTES = 8 * 2 ** 20;

/** A file that cannot be shown, with what is wrong in it. */
export class ResultsError extends Error {
  override readonly name = 'ResultsError';
}

/** @returns a backend as the document has it */
export function describedBackend({
  name,
  adapter,
  precision,
  threads,
  ceilings,
}: BenchBackend): BenchDocument['backends'][number] {
  const { clock, tickMicroseconds } = ceilings;
  return { name, adapter, precision, threads, ceilings: { ...benchmarkCeilings(ceilings), clock, tickMicroseconds } };
}

/** @throws ResultsError where it is no JSON */
function parsed(bytes: Uint8Array, file: string): unknown {
  try {
    return parseWrittenJson(decodeUtf8(bytes, file), file);
  } catch (error) {
    throw error instanceof ScenarioError ? new ResultsError(`no JSON: ${error.message}`) : error;
  }
}

/** @throws ResultsError that names the place and what is wrong there */
export function readResults(bytes: Uint8Array, file: string): BenchmarkResults {
  if (bytes.byteLength > MOST_RESULT_BYTES) {
    throw new ResultsError(`${file} has ${bytes.byteLength} bytes, allowed: ${MOST_RESULT_BYTES}`);
  }
  const { data, error } = benchDocumentSchema.safeParse(parsed(bytes, file));
  if (!data) {
    const [{ path, message }] = error.issues;
    const place = formatPath(path.map((key) => (typeof key === 'symbol' ? String(key) : key)));
    throw new ResultsError(`${file} holds no results of shoal bench: ${place === '' ? '' : `${place}: `}${message}`);
  }
  const { machine, backends, rows, failures } = data;
  const { system, processor, cores } = machine;
  return { source: file, machine: `${processor}, ${cores} cores, ${system}`, backends, rows, failures };
}
