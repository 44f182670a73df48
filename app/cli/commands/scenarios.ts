/** `shoal list`, `shoal schema` and `shoal new`: the scenarios that ship, what a scenario file may say, and a file to start from. */
import { readFile, mkdir, writeFile } from 'node:fs/promises';
import {
  parseScenario,
  scenarioJsonSchema,
  sweepJsonSchema,
  SCHEMA_FILE,
  fileReferences,
  newScenarioText,
} from '../../../engine/index.ts';
import { EXIT, type Context, type ExitCode, type CommonOptions } from '../context.ts';
import { programWords } from '../installation.ts';
import { shippedPath, shippedScenarios } from '../scenario-source.ts';
import { shippedSweeps } from '../sweep/definition-source.ts';
import { basename, dirname, join } from 'node:path';
import { shellWords } from '../../format/paths.ts';

/** `shoal new`: writes a scenario to start from, with its schema beside it, so that an editor explains every field. */
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

export async function newScenario(
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

/** `shoal schema`: the JSON Schema of scenario files, or of sweeps, with title, unit, range, default and help of every field. */
export interface SchemaOptions extends CommonOptions {
  readonly sweep?: boolean;
}

export function schema(
  { terminal }: Context,
  _none: readonly string[],
  { sweep = false }: SchemaOptions,
): Promise<ExitCode> {
  terminal.stdout.write(`${JSON.stringify(sweep ? sweepJsonSchema() : scenarioJsonSchema(), null, 2)}\n`);
  return Promise.resolve(EXIT.done);
}

interface Listed {
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

async function describe(root: string, name: string): Promise<Listed> {
  const path = await shippedPath(root, name);
  const { title, description } = parseScenario(await readFile(path), path).scenario;
  return { name, title, description };
}

export async function list({ terminal, installation }: Context): Promise<ExitCode> {
  const { root } = installation;
  const scenarios: Listed[] = [];
  for (const name of await shippedScenarios(root)) scenarios.push(await describe(root, name));
  const sweeps = await shippedSweeps(root);
  const width = Math.max(...scenarios.map(({ name }) => name.length));
  for (const { name, title } of scenarios) terminal.print(`${name.padEnd(width)}  ${title}`);
  terminal.print(`\nsweeps: ${sweeps.join(', ')}`);
  terminal.note(`\nrun one: ${programWords(installation)} run one-stone`);
  terminal.printJson({ scenarios, sweeps });
  return EXIT.done;
}
