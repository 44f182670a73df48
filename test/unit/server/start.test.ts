import { expect, it } from 'vitest';
import { describeFailure } from '../../../app/cli/context.ts';
import { createProgram } from '../../../app/cli/main.ts';

const root = new URL('../../..', import.meta.url).pathname;

it.each([
  [['start', 'nope.json'], /nope\.json: there is no such file; those that ship are opened by name: .*first-light/],
  [['start', '.'], /: is a folder, a file is needed/],
  [['start', 'README.md'], /README\.md:1:1/],
  [['start', 'first-lihgt'], /did you mean first-light\?/],
  [['start', 'a', 'b'], /too many arguments/],
  [['start', '--headles'], /unknown option '--headles' \(did you mean --headless\?\)/],
])('refuses %j in one line, before anything is opened', async (words, message) => {
  const program = createProgram(words, { root, bundleFolder: root, launcher: root });
  const failure: unknown = await program.run().catch((error: unknown) => error);
  const { lines, exitCode } = describeFailure(failure);
  expect(exitCode).toBe(2);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(message);
});
