/** `shoal schema`: the JSON Schema of scenario files, with title, unit, range, default and help of every field. */
import { scenarioJsonSchema } from '../../../engine/index.ts';
import { EXIT } from '../context.ts';
import type { Context, ExitCode } from '../context.ts';

export default function schema({ terminal }: Context): Promise<ExitCode> {
  terminal.stdout.write(`${JSON.stringify(scenarioJsonSchema(), null, 2)}\n`);
  return Promise.resolve(EXIT.done);
}
