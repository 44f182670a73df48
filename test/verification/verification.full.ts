/** The published tables: every case at its full size, printed as it comes. */
import { expect, it } from 'vitest';
import { backends } from '../setup/backends.ts';
import { runFullVerification } from './run-full.ts';

const wanted = process.env['SHOAL_VERIFICATION_BACKEND'] ?? 'reference';
const only = (process.env['SHOAL_VERIFICATION_CASES'] ?? '').split(',').filter((name) => name !== '');

it(`passes every bar at full size on ${wanted}`, async () => {
  const found = backends.find(({ name }) => name === wanted);
  if (!found) throw new Error(`the backend '${wanted}' is not here`);
  const backend = await found.open();
  const started = performance.now();
  const passed = await runFullVerification(
    backend,
    (line) => process.stdout.write(`${line}\n`),
    only.map((name) => `${name} `),
  );
  const minutes = ((performance.now() - started) / 60_000).toFixed(1);
  process.stdout.write(`\n${backend.name} (${backend.adapter}), ${minutes} min\n`);
  backend.dispose();
  expect(passed).toBe(true);
});
