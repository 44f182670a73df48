/** `shoal list`: the scenarios and sweeps that ship, with a line about each. */
import { readFile } from 'node:fs/promises';
import { parseScenario } from '../../../engine/index.ts';
import { EXIT } from '../context.ts';
import type { Context, ExitCode } from '../context.ts';
import { programWords } from '../installation.ts';
import { shippedPath, shippedScenarios } from '../scenario-source.ts';
import { shippedSweeps } from '../sweep/definition-source.ts';

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

export default async function list({ terminal, installation }: Context): Promise<ExitCode> {
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
