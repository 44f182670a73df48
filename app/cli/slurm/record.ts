/** `slurm/jobs.json` of a sweep's folder: which job runs which chunks, so that they are found again after the command has ended. */
import { z } from 'zod';
import { ScenarioError, parseDocument } from '../../../engine/index.ts';
import { disk } from '../../files/disk.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import { formatIndices, parseIndices } from './array-indices.ts';

const MOST_RECORD_BYTES = 2 ** 24;

const requestSchema = z.object({
  minutes: z.int().min(1),
  mebibytes: z.int().min(1),
  cpus: z.int().min(1),
  gres: z.string(),
});

const chunksSchema = z.string().transform((text, context) => {
  const chunks = parseIndices(text);
  if (chunks) return chunks;
  context.addIssue({ code: 'custom', message: 'allowed: indices as Slurm has them, 0-3,7' });
  return z.NEVER;
});

const jobSchema = z.object({
  job: z.string().regex(/^\d+$/),
  chunks: chunksSchema,
  request: requestSchema,
});

const recordSchema = z.object({
  format: z.literal(1),
  /** Hash of all that determines which cases are in which chunk. */
  plan: z.string(),
  chunkCount: z.int().min(1),
  /** In the order in which they were submitted: of a chunk, the latest that has it. */
  jobs: z.array(jobSchema),
});

export type JobsRecord = Readonly<z.infer<typeof recordSchema>>;
export type SubmittedJob = JobsRecord['jobs'][number];

/** @returns undefined if there is none. @throws ScenarioError naming what is wrong with it */
export async function readJobs(path: string): Promise<JobsRecord | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readRegularFile(path, MOST_RECORD_BYTES);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const record = parseDocument(bytes, path, recordSchema, MOST_RECORD_BYTES);
  const beyond = record.jobs.findIndex(({ chunks }) => chunks.some((chunk) => chunk < 1 || chunk > record.chunkCount));
  if (beyond < 0) return record;
  const message = `found ${formatIndices(record.jobs[beyond].chunks)}, allowed: chunks from 1 to ${record.chunkCount}`;
  throw new ScenarioError([{ file: path, path: ['jobs', beyond, 'chunks'], message }]);
}

/** @throws WriteError */
export async function writeJobs(path: string, record: JobsRecord): Promise<void> {
  const jobs = record.jobs.map((job) => ({ ...job, chunks: formatIndices(job.chunks) }));
  await disk.writeWhole(path, `${JSON.stringify({ ...record, jobs }, null, 2)}\n`);
}
