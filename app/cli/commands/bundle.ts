/** `shoal bundle`: a run as one file that reproduces it. */
import { basename, resolve } from 'node:path';
import { extentOf, readBundle } from '../../../engine/index.ts';
import { packBundle } from '../../bundle/bundle-file.ts';
import { bundleName } from '../../bundle/bundle-name.ts';
import { EXIT, type CommonOptions, type Context, type ExitCode, UsageError } from '../context.ts';
import { assertWritable } from '../targets.ts';
import { bundleOf } from '../run/folder.ts';
import { writeNamedFile } from '../../files/disk.ts';

export interface BundleOptions extends CommonOptions {
  readonly out?: string;
}

/** @throws UsageError, ScenarioError, WriteError */
export default async function bundle(
  { terminal }: Context,
  [folder]: readonly string[],
  { out = bundleName(basename(resolve(folder))) }: BundleOptions,
): Promise<ExitCode> {
  if (out === '') throw new UsageError('--out: the file’s name is empty');
  await assertWritable(out, '--out');
  const files = await bundleOf(folder);
  const { record, parsed } = await readBundle(files, folder);
  const packed = packBundle(files);
  await writeNamedFile(resolve(out), packed);
  const { bytes, sha256 } = await extentOf(packed);
  const { seed, backend, completedCycles, statistics } = record;
  terminal.print(
    `${out}: ${parsed.scenario.name}, seed ${seed}, ${completedCycles} ${completedCycles === 1 ? 'cycle' : 'cycles'} on ${backend.name} (${backend.adapter}); ${bytes} bytes`,
  );
  terminal.print(`Whoever has it runs: shoal reproduce ${basename(out)}`);
  terminal.printJson({
    file: out,
    bytes,
    sha256,
    scenario: parsed.scenario.name,
    seed,
    backend,
    cycles: completedCycles,
    contents: Object.keys(files),
    statistics,
  });
  return EXIT.done;
}
