/** `validate` says of each file and name whether it is a scenario; one that is not hides none of the others. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import validate from '../../../app/cli/commands/validate.ts';
import { EXIT, createTerminal } from '../../../app/cli/context.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

it('has a verdict of every argument, also after a name that no scenario has and after a bundle', async () => {
  let printed = '';
  const warned: string[] = [];
  const terminal = createTerminal(
    { json: true, quiet: true },
    { write: (text: string) => (printed += text) },
    { write: (text: string) => warned.push(text) },
  );
  const installation = { root: ROOT, bundleFolder: '', launcher: '' };
  expect(await validate({ terminal, installation, argv: [] }, ['one-stom', 'small.shoal', 'one-stone'])).toBe(
    EXIT.badInput,
  );
  expect(JSON.parse(printed)).toMatchObject([
    { file: 'one-stom', valid: false, problems: [expect.stringContaining('one-stone')] },
    { file: 'small.shoal', valid: false, problems: [expect.stringMatching(/this is a bundle.*shoal reproduce/)] },
    { file: 'one-stone', valid: true, problems: [] },
  ]);
  expect(EXIT.badInput).toBe(2);
  expect(warned).toEqual([
    expect.stringMatching(/^shoal: .*did you mean one-stone\?\n$/),
    expect.stringMatching(/^shoal: small\.shoal: this is a bundle.*shoal reproduce.*\n$/),
  ]);
});
