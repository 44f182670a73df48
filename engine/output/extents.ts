/** How much of a run folder's growing files belongs to the run. */
import type { CheckpointGround } from './checkpoint-files.ts';
import type { Extent } from './checksum.ts';
import type { RunRecord } from './run-record.ts';

const NOTHING: Extent = {
  bytes: 0,
  sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
};

/** @returns the further one of what `run.json` and the checkpoint say of a file: both were written after it */
export function furthest(record: RunRecord, ground: CheckpointGround | undefined, file: string): Extent {
  const said = [record.files?.[file], ground?.files[file], NOTHING].filter((extent) => extent !== undefined);
  return said.reduce((far, extent) => (extent.bytes > far.bytes ? extent : far));
}
