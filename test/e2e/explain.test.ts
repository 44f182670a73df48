/** `shoal explain` as a process: of a run folder alone, computed again to the bits that the run had. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseNpy } from '../../engine/index.ts';
import { isNightly } from '../setup/nightly.ts';
import { basin, smallRun, travellingGauge } from './small-run.ts';

const small = {
  ...basin,
  observations: [travellingGauge],
  methods: [
    { kind: '3dvar', covariance: { kind: 'recursive-filter', length: 3, standardDeviation: { h: 0.05 } } },
    { kind: 'letkf', localisation: { halfWidth: 2 }, inflation: 1.1 },
    { kind: 'free-run' },
  ],
};
const run = smallRun(small, [['--backend', 'reference', '--out', 'whole']]);
const { shoal } = run;

interface Document {
  readonly words: readonly string[];
  readonly methods: readonly {
    readonly method: string;
    readonly absent?: string;
    readonly answers: Readonly<Record<string, Record<string, unknown> | null>>;
  }[];
}

it('reports for a cycle what its observation changed, as one document, and writes fields beside it', async () => {
  const question = ['explain', 'whole', '--cycle', '3', '--at', '5,4', '--observation', '0'];
  const [inside, beside, said] = await Promise.all([
    shoal(...question, '--json'),
    shoal(...question, '--json', '--out', 'fields'),
    shoal(...question, '--method', 'letkf'),
  ]);
  expect([inside.code, beside.code, said.code]).toEqual([0, 0, 0]);
  const document = JSON.parse(inside.stdout) as Document;
  const [variational, local, free] = document.methods;
  expect(free).toMatchObject({ method: 'free-run', absent: 'observations do not change it', answers: {} });
  expect(variational.answers['weights']).toBeNull();
  // One gauge a cycle, which is in this cell: all of the increment is due to it.
  const { contributions, increment } = local.answers['influence'] as {
    contributions: readonly number[];
    increment: number;
  };
  expect(contributions).toHaveLength(1);
  expect(contributions[0]).toBeClose(increment, { absolute: 1e-12 });
  const field = local.answers['single-observation']?.['increment'] as readonly number[][][];
  expect(field[0][4][5]).toBeClose(increment, { absolute: 1e-12 });
  // The same numbers in files.
  const named = (JSON.parse(beside.stdout) as Document).methods[1].answers['single-observation']?.['increment'];
  const { file } = named as { file: string };
  const { shape, data } = parseNpy(readFileSync(join(run.folder, 'fields', file)), file);
  expect(shape).toEqual([3, 10, 12]);
  expect(Array.from(data)).toEqual(field.flat(2));
  expect(document.words[0]).toMatch(/^(3D-Var|The LETKF) trust/);
  expect(said.stdout).toContain('small, cycle 3: cell 5,4, observation 0');
  expect(said.stdout).toContain('By this observation alone it goes');
});

it('reports how 3D-Var found its increment, in a table and as one document with planes', async () => {
  const question = ['explain', 'whole', '--cycle', '3', '--minimisation', '--method', '3dvar'];
  const [said, written] = await Promise.all([shoal(...question), shoal(...question, '--json', '--out', 'iterations')]);
  expect([said.code, written.code]).toEqual([0, 0]);
  expect(said.stdout).toContain('3D-Var converges in 1 iteration; without preconditioning the residual is ');
  expect(said.stdout).toContain('condition');
  const { minimisation } = (JSON.parse(written.stdout) as Document).methods[0].answers;
  const { preconditioned, plain } = minimisation as Record<
    'preconditioned' | 'plain',
    { cost: readonly number[]; kept: readonly number[]; increments: { file: string } }
  >;
  // One gauge: the Hessian has one eigenvalue beside 1, and one iteration finds the minimum.
  expect(preconditioned).toMatchObject({ iterations: 1, kept: [1] });
  expect(plain).toMatchObject({ iterations: 60, converged: false });
  expect(plain.cost[0]).toBe(preconditioned.cost[0]);
  for (const { kept, increments } of [preconditioned, plain]) {
    const { shape } = parseNpy(readFileSync(join(run.folder, 'iterations', increments.file)), increments.file);
    expect(shape).toEqual([kept.length, 10, 12]);
  }
});

it.runIf(isNightly)('refuses what there is not in one line', async () => {
  const impact = ['explain', 'whole', '--cycle', '3', '--impact', '1'];
  const [late, outside, unobserved, refused, far, alone, itself, never] = await Promise.all([
    shoal('explain', 'whole', '--cycle', '6', '--at', '1,1'),
    shoal('explain', 'whole', '--cycle', '3', '--at', '12,1'),
    shoal('explain', 'whole', '--cycle', '3', '--observation', '1'),
    shoal(...impact, '--method', '3dvar'),
    shoal('explain', 'whole', '--cycle', '3', '--impact', '5'),
    shoal('explain', 'whole', '--cycle', '3', '--at', '1,1', '--against', 'analysis'),
    shoal('explain', 'whole', '--cycle', '3', '--impact', '0', '--against', 'analysis'),
    shoal(...impact, '--since', '3'),
  ]);
  expect([late, outside, unobserved]).toMatchObject([
    { code: 2, stderr: 'shoal: --cycle 6: the run has 6 cycles, allowed: 0 to 5\n' },
    { code: 2, stderr: 'shoal: --at 12,1: the grid has 12 × 10 cells, allowed: 0,0 to 11,9\n' },
    { code: 2, stderr: 'shoal: found the observation 1, cycle 3 has 0 … 0\n' },
  ]);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('--impact: none of the methods is an ensemble filter');
  expect(far.stderr).toContain('A number of cycles is a whole number, 0 to 4.');
  expect(alone.stderr).toContain('--against: name the forecast that is compared by --impact n');
  expect(never.stderr).toContain('--since 3: means are over the cycles up to --cycle 3; give one before it');
  expect(itself.stderr).toContain('--impact 0: an analysis is compared with the truth alone');
});

it('reports what each observation changes about a later forecast, in tables and as one document', async () => {
  const question = ['explain', 'whole', '--cycle', '3', '--impact', '1'];
  const [said, written] = await Promise.all([
    shoal(...question),
    shoal(...question, '--against', 'analysis', '--since', '1', '--json', '--out', 'impacts'),
  ]);
  expect([said.code, written.code]).toEqual([0, 0]);
  expect(said.stdout).toContain(
    'The LETKF: the observations of cycle 3 change the squared error of the forecast of cycle 4',
  );
  const { impacts } = JSON.parse(written.stdout) as {
    impacts: readonly {
      method: string;
      unit: string;
      byNetwork: readonly { impact: number }[];
      means: { from: number; to: number; byNetwork: readonly { count: number; standardError: number }[] };
      observations: readonly { impact: number }[];
    }[];
  };
  expect(impacts).toMatchObject([{ method: 'letkf', unit: 'm³/s²', verification: 'analysis' }]);
  const [{ observations, byNetwork, means }] = impacts;
  expect(means).toMatchObject({ from: 1, to: 3, byNetwork: [{ group: 'gauges', count: 3 }] });
  expect(means.byNetwork[0].standardError).toBeGreaterThan(0);
  expect(observations).toHaveLength(1);
  expect(byNetwork.map(({ impact }) => impact)).toEqual([observations[0].impact]);
  const csv = readFileSync(join(run.folder, 'impacts', '1-letkf-impact.csv'), 'utf8');
  expect(csv).toContain(`${observations[0].impact}`);
});
