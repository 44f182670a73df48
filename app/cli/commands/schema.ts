/** `shoal schema`: the JSON Schema of scenario files, or of sweeps, with title, unit, range, default and help of every field. */
import { scenarioJsonSchema, sweepJsonSchema } from '../../../engine/index.ts';
import { EXIT } from '../context.ts';
import type { CommonOptions, Context, ExitCode } from '../context.ts';

export interface SchemaOptions extends CommonOptions {
  readonly sweep?: boolean;
}

export default function schema(
  { terminal }: Context,
  _none: readonly string[],
  { sweep = false }: SchemaOptions,
): Promise<ExitCode> {
  terminal.stdout.write(`${JSON.stringify(sweep ? sweepJsonSchema() : scenarioJsonSchema(), null, 2)}\n`);
  return Promise.resolve(EXIT.done);
}
