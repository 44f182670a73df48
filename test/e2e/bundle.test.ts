/** `shoal bundle` and `shoal reproduce` as processes: a run with a file, a change while it ran, and a branch beside it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { basin, smallRun, travellingGauge } from './small-run.ts';

const small = {
  ...basin,
  observations: [travellingGauge],
  methods: [{ kind: 'letkf', localisation: { halfWidth: 2 }, inflation: 1.1 }, { kind: 'free-run' }],
  interventions: [{ kind: 'drop', cycle: 2, x: 4, y: 6, radius: 2, height: 0.2, seenBy: 'each' }],
  branches: [
    {
      name: 'wide',
      cycle: 3,
      interventions: [{ kind: 'setting', cycle: 3, path: 'methods[0].inflation', value: 1.5 }],
    },
  ],
  experiment: { ...basin.experiment, spinup: 2 },
};
const run = smallRun(small, [['--backend', 'reference', '--out', 'lines', '--branches']]);
const { shoal } = run;

it('reproduces a run and its branch: bit for bit here, within their statistics on another backend', async () => {
  const [own, branch] = await Promise.all([
    shoal('bundle', 'lines/main', '--out', 'small.shoal', '--json'),
    shoal('bundle', 'lines/branch-1', '--out', 'wide.shoal'),
  ]);
  expect([own.code, branch.code, own.stderr, branch.stderr]).toEqual([0, 0, '', '']);
  expect(JSON.parse(own.stdout)).toMatchObject({
    contents: ['bundle.json', 'scenario.json', 'expected.csv', 'files/gauges.csv'],
  });
  const [same, other, elsewhere] = await Promise.all([
    shoal('reproduce', 'small.shoal'),
    shoal('reproduce', 'wide.shoal', '--json'),
    shoal('reproduce', 'lines/main', '--backend', 'wasm', '--json'),
  ]);
  expect([same.code, other.code, elsewhere.code]).toEqual([0, 0, 0]);
  expect(same.stdout).toContain('reproduced bit for bit: all numbers of 12 rows are the same');
  expect(JSON.parse(other.stdout)).toMatchObject({ reproduced: true, by: 'bits', rows: 12 });
  expect(JSON.parse(elsewhere.stdout)).toMatchObject({ reproduced: true, by: 'statistics' });
});

it('reports what differs, where first; and refuses what is no bundle', async () => {
  const { folder } = run;
  const csv = join(folder, 'lines/main/diagnostics.csv');
  const written = readFileSync(csv, 'utf8');
  writeFileSync(join(folder, 'broken.shoal'), written);
  // A run folder whose rows were changed does not agree with its own record.
  writeFileSync(csv, written.replace(/(letkf,0,[^,]+,0\.\d{6})\d/, '$19'));
  const [broken, changed] = await Promise.all([shoal('reproduce', 'broken.shoal'), shoal('bundle', 'lines/main')]);
  writeFileSync(csv, written);
  expect([broken.code, changed.code]).toEqual([2, 2]);
  expect(broken.stderr).toContain('broken.shoal: this is not a zip archive that can be read');
  expect(changed.stderr).toContain('diagnostics.csv');
});
