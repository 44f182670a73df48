/** `shoal new`: writes a scenario to start from, with its schema beside it, so that an editor explains every field. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  SCHEMA_FILE,
  fileReferences,
  newScenarioText,
  parseScenario,
  scenarioJsonSchema,
} from '../../../engine/index.ts';
import { EXIT } from '../context.ts';
import type { CommonOptions, Context, ExitCode } from '../context.ts';
import { shellWords } from '../../format/paths.ts';
import { programWords } from '../installation.ts';
import { shippedPath } from '../scenario-source.ts';

export interface NewOptions extends CommonOptions {
  readonly from?: string;
}

const FIRST_SCENARIO = 'one-stone';

/** A scenario's name from a file's: lower-case words joined by hyphens. */
function scenarioName(file: string): string {
  const words = basename(file, '.json')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join('-').slice(0, 64).replace(/-$/, '') ?? 'scenario';
}

function isExisting(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EEXIST';
}

/** Writes a file that must not exist yet, or is left as it is when it does. */
async function writeOnce(path: string, content: string | Uint8Array, mayExist: boolean): Promise<void> {
  await writeFile(path, content, { flag: 'wx' }).catch((error: unknown) => {
    if (!mayExist || !isExisting(error)) throw error;
  });
}

export default async function newScenario(
  { terminal, installation }: Context,
  [file]: readonly string[],
  { from = FIRST_SCENARIO }: NewOptions,
): Promise<ExitCode> {
  const source = await shippedPath(installation.root, from);
  const { raw, scenario } = parseScenario(await readFile(source), source);
  const folder = dirname(file);
  await mkdir(folder, { recursive: true });
  await writeOnce(file, newScenarioText(raw as object, scenarioName(file)), false);
  await writeOnce(join(folder, SCHEMA_FILE), `${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`, true);
  for (const { file: beside } of fileReferences(scenario)) {
    await mkdir(dirname(join(folder, beside)), { recursive: true });
    await writeOnce(join(folder, beside), await readFile(join(dirname(source), beside)), true);
  }
  terminal.print(`wrote ${file}; try: ${programWords(installation)} run ${shellWords([file])}`);
  terminal.printJson({ file, from });
  return EXIT.done;
}
