/** `validate` says of each file and name whether it is a scenario; one that is not hides none of the others. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import validate from '../../../app/cli/commands/validate.ts';
import { EXIT } from '../../../app/cli/context.ts';
import { createTerminal } from '../../../app/cli/terminal.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

it('has a verdict of every argument, also after a name that no scenario has', async () => {
  let printed = '';
  const terminal = createTerminal(
    { json: true, quiet: true },
    { write: (text: string) => (printed += text) },
    { write: () => undefined },
  );
  const installation = { root: ROOT, bundleFolder: '', launcher: '' };
  expect(await validate({ terminal, installation, argv: [] }, ['one-stom', 'one-stone'])).toBe(EXIT.badInput);
  expect(JSON.parse(printed)).toMatchObject([
    { file: 'one-stom', valid: false, problems: [expect.stringContaining('one-stone')] },
    { file: 'one-stone', valid: true, problems: [] },
  ]);
});
