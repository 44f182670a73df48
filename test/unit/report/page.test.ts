import { describe, expect, it } from 'vitest';
import { createMemoryStorage, createRunFolder, readHdf5Here } from '../../../engine/index.ts';
import type { Scenario } from '../../../engine/index.ts';
import { reportPage } from '../../../app/report/page.ts';
import { createReport } from '../../../app/report/report.ts';
import type { Report } from '../../../app/report/report.ts';
import { readReportedRun, chosenCycles } from '../../../app/report/run/reported-run.ts';
import type { ReportedRun } from '../../../app/report/run/reported-run.ts';
import { settingsWords } from '../../../app/report/sections/setup.ts';
import { randomStream } from '../../../engine/random/stream.ts';
import { diagnosticsRow } from '../../setup/diagnostics-row.ts';
import { tinyScenario } from '../document/run/tiny-scenario.ts';

const CYCLES = 30;
const ABOUT = { made: '2026-01-02T03:04:05.000Z', version: '9.8.7', command: 'npm run shoal -- report a', fonts: {} };

/** A run whose methods' errors differ, noisy by cycle; without states. */
async function reported(scenario: Scenario, name: string): Promise<ReportedRun> {
  const storage = createMemoryStorage();
  const backend = { name: 'reference', adapter: 'JavaScript' } as const;
  const run = createRunFolder(storage, {
    identity: { scenario, seed: scenario.seed, backend },
    versions: { shoal: '1' },
    now: () => new Date(0),
  });
  await run.begin();
  const methods = scenario.methods.map(({ label, kind }) => ({ label, kind, members: 4 }));
  run.listen({
    type: 'start',
    scenario: scenario.name,
    seed: scenario.seed,
    backend,
    methods,
    variables: ['h', 'hu'],
    cycles: CYCLES,
    firstCycle: 0,
    memoryBytes: 1,
  });
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    methods.forEach(({ label }, place) => {
      const noise = 0.1 * randomStream(scenario.seed, 'test.errors', cycle, place).normal();
      const h = Math.exp(noise - place);
      run.listen({ type: 'diagnostics', diagnostics: diagnosticsRow(label, cycle, { h, hu: 1 }) });
    });
    run.listen({ type: 'cycle', cycle, cycles: CYCLES });
  }
  await run.save();
  await run.finish('complete');
  const found = await readReportedRun(storage, name, readHdf5Here);
  if (!found) throw new Error('found no run');
  return found;
}

const LONG = { experiment: { cycles: CYCLES, window: 0.5 } };

function pageOf(runs: readonly ReportedRun[], about: Partial<Report> = {}): string {
  return reportPage(createReport(runs, { ...ABOUT, ...about }));
}

describe('the page of a run', () => {
  it('says in its verdict how the methods differ in this run, without a winner', async () => {
    const page = pageOf([await reported(tinyScenario(LONG), 'a')]);
    const [, verdict = ''] = /<p class="verdict">([^<]*)</.exec(page) ?? [];
    expect(verdict).toContain('LETKF has the least error of the analysis over the cycles 0 to 29');
    expect(verdict).toMatch(/that of 3D-Var is 2\.\d+ times \(\d.*\), worse in 30 of 30 cycles/);
    expect(verdict).not.toMatch(/is better than/);
    expect(verdict).toContain('This is one seed, and other seeds may differ');
  });

  it('needs nothing beside it: no script, no address, and a policy that allows neither', async () => {
    const page = pageOf([await reported(tinyScenario(LONG), 'a')], { fonts: { words: Uint8Array.of(1, 2, 3) } });
    expect(page).toContain("src:url(data:font/woff2;base64,AQID) format('woff2')");
    expect(page).not.toMatch(/<script|javascript:|\son\w+=|@import|url\((?!data:)/i);
    expect(page).not.toMatch(/https?:/);
    expect(page).toMatch(
      /content="default-src &#39;none&#39;; img-src data:; font-src data:; style-src &#39;sha256-[\w+/]{43}=&#39;;/,
    );
  });

  it('has words for each of its pictures', async () => {
    const page = pageOf([await reported(tinyScenario(LONG), 'a')]);
    const drawings = [...page.matchAll(/<svg\s+class="(chart|map|colour-bar)"([^>]*)>/g)];
    expect(drawings.length).toBeGreaterThan(4);
    for (const [, , attributes] of drawings) expect(attributes).toMatch(/role="img"\s+aria-label="[^"]{20,}"/);
    expect(page).not.toContain('<img');
  });

  it('has the parts of the registry with the figures that the run has, in its contents', async () => {
    const page = pageOf([await reported(tinyScenario(LONG), 'a')]);
    const parts = [...page.matchAll(/<li><a href="#([\w-]+)">/g)].map(([, id]) => id);
    expect(parts.filter((id) => /^(curves|consistency-curves|ranks|spectra|budgets)$/.test(id))).toEqual([
      'curves',
      'ranks',
    ]);
    expect(page).toMatch(/<figcaption>\s*RMSE of h of the analysis against the truth\. Bands end/);
    expect(page).toMatch(/<figcaption>\s*<b>LETKF, h\.<\/b> χ² /);
  });

  it('has what somebody wrote into the folder as text alone', async () => {
    const hostile = '</title><script>alert(1)</script><b title="';
    const methods = [{ kind: 'free-run' }, { kind: 'letkf', label: '"><u>letkf</u>' }];
    const scenario = tinyScenario({ ...LONG, title: hostile, description: hostile, methods });
    const page = pageOf([await reported(scenario, '<i>folder</i>')], { command: '<s>' });
    expect(page).not.toMatch(/<script|<u>|<i>|<s>|<b title/);
    expect(page).toContain('&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;b title=&quot;: a report</title>');
  });

  it('holds the scenario as it was run, to be saved', async () => {
    const scenario = tinyScenario(LONG);
    const page = pageOf([await reported(scenario, 'a')]);
    const [, base64 = ''] =
      /download="tiny\.shoal\.json"\s+href="data:application\/json;base64,([^"]+)"/.exec(page) ?? [];
    expect(JSON.parse(Buffer.from(base64, 'base64').toString('utf8'))).toEqual(JSON.parse(JSON.stringify(scenario)));
  });
});

describe('what was asked', () => {
  const gauges = { name: 'gauges', variable: 'h', network: { kind: 'regular', stride: [3, 3] } };

  it.each([
    ['at the end, in each cycle', {}],
    ['at the end, in one of 3 cycles', { every: 3 }],
    ['at the end, in 2 cycles', { times: [1, 2] }],
    ['after 25, 50 and 100 % of the window, in one of 2 cycles', { every: 2, timing: { moments: [0.25, 0.5, 1] } }],
  ])('says when a network observes: %s', async (words, when) => {
    const page = pageOf([await reported(tinyScenario({ ...LONG, observations: [{ ...gauges, ...when }] }), 'a')]);
    const [told] = /“gauges” observes [^;]*, with errors/.exec(page) ?? [];
    expect(told).toBe(`“gauges” observes h in up to 16 places ${words}, with errors`);
  });

  it('has a command that a shell takes as it is, whatever a method is called', async () => {
    const label = 'a "b" $(c) `d` \'e';
    const run = await reported(
      tinyScenario({ ...LONG, methods: [{ kind: 'free-run' }, { kind: 'letkf', label }] }),
      'a',
    );
    const page = pageOf([{ ...run, record: { ...run.record, selected: [label] } }]);
    const [, command = ''] = /npm run shoal -- run ([^<]*)</.exec(page) ?? [];
    expect(command).toBe(
      String.raw`tiny.shoal.json --backend reference --method &#39;a &quot;b&quot; $(c) ${'`d`'} &#39;\&#39;&#39;e&#39;`,
    );
  });
});

describe('the page of several runs', () => {
  it('lists what differs by path, and puts their curves beside each other', async () => {
    const methods = [{ kind: 'free-run' }, { kind: '3dvar' }, { kind: 'letkf', inflation: 1.5 }];
    const runs = [
      await reported(tinyScenario(LONG), 'first'),
      await reported(tinyScenario({ ...LONG, methods }), 'second'),
    ];
    const page = pageOf(runs);
    expect(page).toMatch(/<code>methods\[letkf\]\.inflation<\/code><\/th>\s*<td>1\.1<\/td>\s*<td>1\.5<\/td>/);
    expect(page).toContain('aria-label="[1] first, seed 3: RMSE of h, analysis by cycle.');
    expect(page).toContain('aria-label="[2] second, seed 3: RMSE of h, analysis by cycle.');
    // Other charts say of which run they are, too.
    expect(page).toContain('aria-label="[1] first, seed 3: Rank histogram of ');
  });

  it('compares runs of several seeds seed by seed', async () => {
    const runs = [];
    for (const seed of [1, 2, 3, 4, 5, 6, 7])
      runs.push(await reported(tinyScenario({ ...LONG, seed }), `seed-${seed}`));
    const page = pageOf(runs);
    expect(page).toContain('Paired over 7 seeds, since the runs differ by their seed alone.');
    expect(page).toMatch(/worse on 7 of 7 seeds/);
    expect(page).toContain('Figures are of 4 of the 7 runs; tables have all of them.');
  });
});

describe('the settings in words', () => {
  it('have the titles and units of the schema, and the kinds by their names', () => {
    const groups = settingsWords(tinyScenario({ title: 'Of no setting' }));
    const filter = groups.find(({ title }) => title === 'LETKF');
    expect(filter?.settings).toContainEqual({ title: 'Localisation: Half-width', value: '2 m' });
    const network = groups.find(({ title }) => title === 'Observations, gauges');
    expect(network?.settings).toContainEqual({ title: 'Network', value: 'Regular' });
    expect(network?.settings).toContainEqual({ title: 'Network: Stride', value: '3, 3 cells' });
    expect(JSON.stringify(groups)).not.toContain('Of no setting');
  });
});

describe('the cycles that are shown', () => {
  it('are all where they are few, else spread evenly from the first to the last', () => {
    expect(chosenCycles([4, 9])).toEqual([4, 9]);
    expect(chosenCycles(Array.from({ length: 30 }, (_, cycle) => cycle))).toEqual([0, 10, 19, 29]);
  });
});
