/** The states of a run as NetCDF: read back, read from outside, after a run that was killed, and on a disk that is full. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dataset, File, ready } from 'h5wasm/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crc32 } from '../../engine/files/checksums.ts';

const BOOTSTRAP = new URL('../../app/cli/bootstrap.mjs', import.meta.url).pathname;
const READER = new URL('../netcdf/read.py', import.meta.url).pathname;
const PYTHON = '/usr/bin/python3';
const [NX, NY, CYCLES] = [12, 10, 6];
const isLinux = process.platform === 'linux';
/** Debian's packages: `test/netcdf/install.sh` installs them. */
const hasReaders =
  existsSync(PYTHON) &&
  spawnSync(PYTHON, ['-c', 'import netCDF4, xarray']).status === 0 &&
  spawnSync('ncdump', ['-h']).error === undefined;

const small = {
  version: 3,
  name: 'small',
  seed: 5,
  grid: { nx: NX, ny: NY, dx: 2, dy: 3 },
  truth: { initial: { kind: 'drops', count: 1, width: 8 } },
  background: { initial: { kind: 'drops', count: 1, width: 8 }, members: 4 },
  observations: [
    { name: 'gauges', variable: 'h', network: { kind: 'regular', stride: [4, 4] }, every: 2, dropout: 0.3 },
    { name: 'currents', variable: 'hu', network: { kind: 'regular', stride: [6, 6] }, errorStandardDeviation: 0.1 },
  ],
  methods: [
    { kind: 'free-run' },
    { kind: '3dvar', covariance: { kind: 'recursive-filter', length: 3, standardDeviation: { h: 0.05 } } },
    { kind: 'letkf', localisation: { halfWidth: 4 }, inflation: 1.1 },
  ],
  experiment: { cycles: CYCLES, window: 0.5 },
};

let folder = '';
const at = (...path: string[]): string => join(folder, ...path);
const RUN_WITH = ['run', 'small.json', '--backend', 'reference', '--quiet', '--fields'];
const RUN = [...RUN_WITH, 'mean'];

/** What the results of so small a run are warned of is no part of these tests. */
const REMARK = /^warning: \S+ is worse than the free run [^\n]*\n/gm;

function shoal(args: readonly string[], before = '') {
  const { npm_lifecycle_event: _script, ...env } = process.env;
  const words = [process.execPath, BOOTSTRAP, ...args];
  const line = before === '' ? words : ['sh', '-c', `${before} exec "$@"`, 'sh', ...words];
  const { status, stderr } = spawnSync(line[0], line.slice(1), { cwd: folder, env, encoding: 'utf8' });
  return { code: status, errors: stderr.replaceAll(REMARK, '').trim() };
}

/** Every variable of a file by its path. */
function variablesOf(path: string): ReadonlyMap<string, { readonly shape: unknown; readonly values: unknown }> {
  const file = new File(path, 'r');
  try {
    const found = new Map<string, { shape: unknown; values: unknown }>();
    for (const name of file.paths()) {
      const entity = file.get(name);
      if (entity instanceof Dataset) found.set(`/${name}`, { shape: entity.shape, values: entity.value });
    }
    return found;
  } finally {
    file.close();
  }
}

function numbersOf(run: string, name: string): number[] {
  return Array.from(variablesOf(at(run, 'fields.nc')).get(name)?.values as Float32Array);
}

beforeAll(async () => {
  await ready;
  folder = mkdtempSync(join(tmpdir(), 'shoal-netcdf-'));
  writeFileSync(at('small.json'), JSON.stringify(small));
  shoal([...RUN_WITH, 'members', '--out', 'whole']);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('fields.nc', () => {
  it('holds the truth, the means and the spread of every cycle', () => {
    const variables = variablesOf(at('whole/fields.nc'));
    expect(variables.get('/eta_analysis')?.shape).toEqual([3, CYCLES, NY, NX]);
    expect(variables.get('/truth_hu')?.shape).toEqual([CYCLES, NY, NX]);
    expect(numbersOf('whole', '/time')).toEqual([0.5, 1, 1.5, 2, 2.5, 3]);
    expect(readdirSync(at('whole'))).not.toContain('fields.bin');
    // Of the forecast and the analysis the difference is what the observations made.
    const [forecast, analysis] = ['/eta_forecast', '/eta_analysis'].map((name) => numbersOf('whole', name));
    const plane = NX * NY;
    const differs = (method: number): boolean =>
      analysis.some((value, i) => Math.floor(i / plane / CYCLES) === method && value !== forecast[i]);
    expect([0, 1, 2].map(differs)).toEqual([false, true, true]);
  });

  it('holds members on demand, whose mean and spread are those that it holds', () => {
    const [members, mean, spread] = ['eta_members', 'eta_analysis', 'eta_spread_analysis'].map((name) => {
      const values = numbersOf('whole', `/${name}`);
      // Of the last method.
      return values.slice((values.length / 3) * 2);
    });
    expect(numbersOf('whole', '/member')).toEqual([0, 1, 2, 3]);
    const plane = NX * NY;
    const largest = Math.max(...members.map(Math.abs));
    for (let i = 0; i < mean.length; i++) {
      const [cycle, cell] = [Math.floor(i / plane), i % plane];
      const own = [0, 1, 2, 3].map((member) => members[(4 * cycle + member) * plane + cell]);
      const average = own.reduce((sum, value) => sum + value) / 4;
      const variance = own.reduce((sum, value) => sum + (value - average) ** 2, 0) / 3;
      // Members are rounded to float32, each by half of its last bit; so is what is compared with them.
      expect(Math.abs(average - mean[i])).toBeLessThanOrEqual(largest * 2 ** -23);
      expect(Math.abs(Math.sqrt(variance) - spread[i])).toBeLessThanOrEqual(largest * 2 ** -22);
    }
  });

  it('holds how far forecast and analysis are from each observation, and what became of it', () => {
    const variables = variablesOf(at('whole/fields.nc'));
    const of = (name: string): number[] => Array.from(variables.get(`/observations/${name}`)?.values as Float64Array);
    const [value, x, y, variable] = ['value', 'x', 'y', 'variable'].map(of);
    const [innovation, departure, quality] = ['innovation', 'departure', 'quality'].map(of);
    const counts = of('count');
    const cycleOf = counts.flatMap((count, cycle) => Array.from({ length: count }, () => cycle));
    const total = value.length;
    const [MISSING, USED, PASSIVE] = [0, 1, 3];
    const FILL = 9.969209968386869e36;
    const at3d = (name: string, method: number, cycle: number, i: number): number =>
      numbers[name][((method * CYCLES + cycle) * NY + y[i] / 3) * NX + x[i] / 2];
    const numbers = Object.fromEntries(
      ['eta_forecast', 'eta_analysis', 'hu_forecast', 'hu_analysis', 'bed'].map((name) => [
        name,
        numbersOf('whole', `/${name}`),
      ]),
    );
    // Gauges are in cells: of a mean state they see the mean of what the members have there.
    const seen = (when: string, method: number, i: number): number =>
      variable[i] === 0
        ? at3d(`eta_${when}`, method, cycleOf[i], i) - numbers['bed'][(y[i] / 3) * NX + x[i] / 2]
        : at3d(`hu_${when}`, method, cycleOf[i], i);
    const places = [0, 1, 2].flatMap((method) => value.map((_, i) => ({ method, i, place: method * total + i })));
    const missing = places.filter(({ i }) => value[i] === FILL);
    expect(missing.length).toBeGreaterThan(0);
    for (const { place } of missing) {
      expect([innovation[place], departure[place], quality[place]]).toEqual([FILL, FILL, MISSING]);
    }
    for (const { method, i, place } of places.filter((each) => value[each.i] !== FILL)) {
      expect(quality[place]).toBe(method === 0 ? PASSIVE : USED);
      // Float32 of a depth near 1.
      expect(Math.abs(innovation[place] - (value[i] - seen('forecast', method, i)))).toBeLessThanOrEqual(2 ** -22);
      expect(Math.abs(departure[place] - (value[i] - seen('analysis', method, i)))).toBeLessThanOrEqual(2 ** -22);
    }
    // What assimilates comes nearer to what it was given.
    const sumOfSquares = (values: number[], method: number): number =>
      values.slice(method * total, (method + 1) * total).reduce((sum, d) => sum + (d === FILL ? 0 : d * d), 0);
    expect(sumOfSquares(departure, 2)).toBeLessThan(sumOfSquares(innovation, 2));
  });

  it('holds the numbers of diagnostics.csv', () => {
    const [header, ...rows] = readFileSync(at('whole/diagnostics.csv'), 'utf8').trim().split('\n');
    const column = header.split(',').indexOf('rmse_analysis_h');
    const letkf = rows.filter((row) => row.startsWith('letkf,')).map((row) => Number(row.split(',')[column]));
    expect(letkf).toHaveLength(CYCLES);
    const all = numbersOf('whole', '/diagnostics/rmse_analysis_h');
    expect(all.slice(2 * CYCLES)).toEqual(letkf);
    const bytesOf = (method: number): Uint8Array =>
      new Uint8Array(Float64Array.from(all.slice(method * CYCLES, (method + 1) * CYCLES)).buffer);
    const checksums = [0, 1, 2].map((method) => crc32(bytesOf(method)) | 0);
    expect(numbersOf('whole', '/checksums/diagnostics/rmse_analysis_h')).toEqual(checksums);
  });

  it('holds the lists of diagnostics.csv, by rank, bin of spread and octave', () => {
    const [header, ...rows] = readFileSync(at('whole/diagnostics.csv'), 'utf8').trim().split('\n');
    const names = header.split(',');
    const variables = variablesOf(at('whole/fields.nc'));
    const RANKS = 5;
    // Half the length of the basin is 12 m along x and 15 m along y; the last octave ends at half a cell of 3 m.
    const octaves = [0, 1, 2].map((n) => 2 ** n / 48);
    expect(numbersOf('whole', '/diagnostics/rank')).toEqual([0, 1, 2, 3, 4]);
    expect(numbersOf('whole', '/diagnostics/spread_bin')).toHaveLength(7);
    expect(numbersOf('whole', '/diagnostics/band')).toEqual(octaves.map((lowest) => lowest * Math.SQRT2));
    expect(numbersOf('whole', '/diagnostics/band_bounds')).toEqual(octaves.flatMap((lowest) => [lowest, 2 * lowest]));
    const lists: readonly (readonly [name: string, length: number])[] = [
      ['rank_histogram_h', RANKS],
      ['rank_histogram_hu', RANKS],
      ['crps_alpha_h', RANKS],
      ['crps_beta_hu', RANKS],
      ['spread_bin_share_h', 7],
      ['spread_bin_variance_h', 7],
      ['spread_bin_squared_error_hu', 7],
      ['spectrum_forecast_error', 3],
      ['spectrum_analysis_error', 3],
      ['spectrum_increment', 3],
      ['spectrum_forecast_spread', 3],
    ];
    for (const [name, length] of lists) {
      expect(variables.get(`/diagnostics/${name}`)?.shape, `shape of ${name}`).toEqual([3, CYCLES, length]);
      const written = rows.map((row) => row.split(',')).sort((a, b) => Number(a[1]) - Number(b[1]));
      const expected = ['free-run', '3dvar', 'letkf'].flatMap((label) =>
        written
          .filter(([method]) => method === label)
          .flatMap((cells) => {
            const cell = cells[names.indexOf(name)];
            const values = cell === '' ? [] : cell.split(' ').map(Number);
            return Array.from({ length }, (_, i) => values[i] ?? 9.969209968386869e36);
          }),
      );
      expect(numbersOf('whole', `/diagnostics/${name}`), `values of ${name}`).toEqual(expected);
    }
    expect(
      Math.max(...numbersOf('whole', '/diagnostics/spectrum_increment').filter((each) => each < 1)),
    ).toBeGreaterThan(0);
  });

  it('holds when each observation was made: at the analysis, or inside the window', () => {
    const [gauges, currents] = small.observations;
    const observations = [gauges, { ...currents, timing: { moments: [0.25, 1] } }];
    const experiment = { cycles: 2, window: 0.5 };
    const methods = [{ kind: 'free-run' }];
    writeFileSync(at('timed.json'), JSON.stringify({ ...small, name: 'timed', observations, methods, experiment }));
    expect(shoal(['run', 'timed.json', ...RUN.slice(2), '--out', 'timed'])).toEqual({ code: 0, errors: '' });
    const [time, network] = ['time', 'network'].map((name) => numbersOf('timed', `/observations/${name}`));
    const counts = numbersOf('timed', '/observations/count');
    const inside = time.filter((_, i) => network[i] === 1);
    // Four currents a quarter into each window and four at its end; gauges with the analysis of the second cycle alone.
    expect(counts).toEqual([8, 17]);
    expect([...inside].sort((a, b) => a - b)).toEqual(
      [0.125, 0.5, 0.625, 1].flatMap((each) => [each, each, each, each]),
    );
    expect([...new Set(time.filter((_, i) => network[i] === 0))]).toEqual([1]);
  });

  it('holds the impact of each observation of a run that asks for it, which sum to those of diagnostics.csv', () => {
    const cycles = 4;
    const experiment = { ...small.experiment, cycles };
    writeFileSync(at('asked.json'), JSON.stringify({ ...small, name: 'asked', experiment }));
    expect(shoal(['run', 'asked.json', ...RUN.slice(2), '--impact', '1', '--out', 'asked'])).toEqual({
      code: 0,
      errors: '',
    });
    const variables = variablesOf(at('asked/fields.nc'));
    const of = (name: string): number[] => Array.from(variables.get(name)?.values as Float64Array);
    const [network, counts, all] = ['network', 'count', 'impact'].map((name) => of(`/observations/${name}`));
    const total = network.length;
    const FILL = 9.969209968386869e36;
    expect(all.slice(0, 2 * total)).toEqual(Array.from({ length: 2 * total }, () => FILL));
    const cycleOf = counts.flatMap((count, cycle) => Array.from({ length: count }, () => cycle));
    const added = Array.from({ length: 2 * cycles }, () => 0);
    network.forEach((n, i) => {
      const impact = all[2 * total + i];
      if (impact !== FILL) added[2 * cycleOf[i] + n] += impact;
    });
    expect(variables.get('/diagnostics/impact')?.shape).toEqual([3, cycles, 2]);
    const written = of('/diagnostics/impact').slice(2 * 2 * cycles);
    expect(added).toBeClose(written, { relative: 1e-12 });
    expect(Math.min(...added)).toBeLessThan(0);
  });

  it('has in its last cycle the numbers of the checkpoint', () => {
    const { arrays } = JSON.parse(readFileSync(at('whole/checkpoint.json'), 'utf8'));
    const bytes = readFileSync(at('whole', arrays.truth.file));
    const header = 10 + bytes.readUInt16LE(8);
    const truth = new Float64Array(new Uint8Array(bytes.subarray(header)).buffer);
    // The state of this scheme is the elevation, and both momenta.
    const last = ['eta', 'hu', 'hv'].flatMap((name) => numbersOf('whole', `/truth_${name}`).slice(-NX * NY));
    expect(last).toEqual(Array.from(truth, Math.fround));
  });

  it('is where another run begins: its truth at a time, of which the run folder keeps a copy', () => {
    const initial = { kind: 'netcdf', file: 'whole/fields.nc', variable: 'truth_eta', at: 'time=1.5' };
    const truth = { initial, spinup: 0 };
    writeFileSync(
      at('again.json'),
      JSON.stringify({ ...small, name: 'again', truth, methods: [{ kind: 'free-run' }] }),
    );
    const run = ['run', 'again.json', ...RUN.slice(2), '--out', 'again'];
    expect(shoal(run)).toEqual({ code: 0, errors: '' });
    expect(readFileSync(at('again/scenario-files/whole/fields.nc'))).toEqual(readFileSync(at('whole/fields.nc')));
    const plane = NX * NY;
    const [first, second] = ['whole', 'again'].map((name) => numbersOf(name, '/truth_eta'));
    // Three cycles later: it began with numbers rounded to float32, of waves that grow no more than the water is deep.
    for (let i = 0; i < 3 * plane; i++) expect(Math.abs(second[i] - first[i + 3 * plane])).toBeLessThan(2 ** -20);
    expect(Math.max(...second.map(Math.abs))).toBeGreaterThan(1e-3);
  });

  it('is refused with its name where it is damaged, as what a scenario begins from and in a folder of a run', () => {
    const bytes = readFileSync(at('whole/fields.nc'));
    // Where its beginning points to there is nothing that it says.
    bytes.fill(0xa5, 2000);
    writeFileSync(at('damaged.nc'), bytes);
    const initial = { kind: 'netcdf', file: 'damaged.nc', variable: 'truth_eta', at: 'time=1.5' };
    writeFileSync(at('damaged.json'), JSON.stringify({ ...small, truth: { initial, spinup: 0 } }));
    const refused = {
      code: 2,
      errors: expect.stringMatching(/damaged\.json: truth\.initial\.file: damaged\.nc: .*cannot be read: /),
    };
    expect(shoal(['validate', 'damaged.json'])).toEqual(refused);
    expect(shoal(['run', 'damaged.json', ...RUN.slice(2), '--out', 'never'])).toEqual(refused);
    cpSync(at('whole'), at('damaged'), { recursive: true });
    writeFileSync(at('damaged/fields.nc'), bytes);
    expect(shoal(['report', 'damaged', '--out', 'damaged.html'])).toEqual({
      code: 2,
      errors: expect.stringMatching(/fields\.nc: .*cannot be read: /),
    });
    expect(existsSync(at('damaged.html'))).toBe(false);
  });

  it.skipIf(!isLinux)('is the same, of every n-th cycle, after a run that stopped and was continued', () => {
    const parts = [...RUN, '--every', '2', '--out', 'parts'];
    // It ends for want of room, which leaves what is complete.
    expect(shoal(parts, 'ulimit -f 24;').code).toBe(1);
    expect(shoal([...parts, '--resume'])).toEqual({ code: 0, errors: '' });
    expect(shoal([...RUN, '--every', '2', '--out', 'unparted'])).toEqual({ code: 0, errors: '' });
    expect(numbersOf('parts', '/cycle')).toEqual([1, 3, 5]);
    // What each cycle took is never the same.
    const [parted, unparted] = ['parts', 'unparted'].map((run) =>
      [...variablesOf(at(run, 'fields.nc'))].filter(([name]) => !name.includes('milliseconds_')),
    );
    expect(parted).toEqual(unparted);
  });

  it.skipIf(!isLinux)('is whole or not there: what was kept for it stays where the disk has no room', () => {
    // More than any other file of the run needs, however much of it is timed.
    const { code, errors } = shoal([...RUN, '--out', 'full'], 'ulimit -f 600;');
    expect({ code, errors }).toEqual({
      code: 1,
      errors: expect.stringMatching(/^shoal: \S+full\/fields\.nc: cannot be written: File too large$/),
    });
    const names = readdirSync(at('full'));
    expect(names).toContain('fields.bin');
    expect(names.filter((name) => name.startsWith('fields.nc'))).toEqual([]);
    // With room again it is made of that.
    expect(shoal([...RUN, '--out', 'full', '--resume']).code).toBe(0);
    expect(numbersOf('full', '/cycle')).toHaveLength(CYCLES);
    expect(readdirSync(at('full'))).not.toContain('fields.bin');
  });

  it('is not asked for in another way when the run continues', () => {
    expect(shoal([...RUN, '--every', '3', '--out', 'whole', '--resume'])).toEqual({
      code: 2,
      errors: 'shoal: cannot be resumed: the run began with --fields members --members 0-3 --every 1',
    });
    expect(shoal(['run', 'small.json', '--every', '3', '--quiet'])).toEqual({
      code: 2,
      errors: 'shoal: --every: goes with --fields mean or --fields members',
    });
    expect(shoal(['run', 'small.json', '--fields', 'members', '--members', '1,4-6', '--quiet'])).toEqual({
      code: 2,
      errors: 'shoal: --members: found 4, the ensemble has the members 0 to 3',
    });
  });

  it.skipIf(!hasReaders)('is read by ncdump, netCDF4 and xarray, which find what this program wrote', () => {
    const header = execFileSync('ncdump', ['-h', at('whole/fields.nc')], { encoding: 'utf8' });
    expect(header).toContain('time = UNLIMITED ; // (6 currently)');
    expect(header).toContain('float eta_analysis(assimilation, time, y, x)');
    const found = JSON.parse(execFileSync(PYTHON, [READER, at('whole/fields.nc'), 'letkf'], { encoding: 'utf8' }));
    expect(found).toMatchObject({
      dims: { x: NX, y: NY, time: CYCLES, assimilation: 3 },
      order: ['assimilation', 'time', 'y', 'x'],
      methods: ['free-run', '3dvar', 'letkf'],
      seconds: [0.5, 1, 1.5, 2, 2.5, 3],
      conventions: 'CF-1.11',
      units: 'm2 s-1',
      unlimited: ['time'],
      zlib: true,
      chunks: [1, 1, NY, NX],
      // A method with one state has none.
      spread: [true, false, true],
      flags: 'missing used rejected passive diverged',
      fillValues: [true, true, true],
      scores: [3, CYCLES],
      ranks: { dims: ['assimilation', 'cycle', 'rank'], counted: [true, false, true] },
      spectrum: { dims: ['assimilation', 'cycle', 'band'], units: 'm2' },
      lists: {
        spread_bin_variance_hu: 'm4 s-2',
        spread_bin_share_hu: '1',
        crps_alpha_hu: 'm2 s-1',
      },
      bandUnits: 'm-1',
    });
    expect(found.spectrum.values).toEqual(numbersOf('whole', '/diagnostics/spectrum_forecast_error').slice(-3));
    expect(found.observationSeconds).toEqual(numbersOf('whole', '/observations/time'));
    expect(found.rmse).toEqual(numbersOf('whole', '/diagnostics/rmse_analysis_h').slice(-CYCLES));
    expect(found.eta.map(Math.fround)).toEqual(numbersOf('whole', '/eta_analysis').slice(-NX * NY));
    expect(found.bed).toEqual(numbersOf('whole', '/bed'));
    // Nine gauges every second cycle, four currents in each.
    expect(found.count).toEqual([4, 13, 4, 13, 4, 13]);
    expect(found.observed).toHaveLength(51);
    // Nothing is known of an analysis if nothing was observed.
    expect(found.departure.map((each: unknown) => each === null)).toEqual(
      found.observed.map((each: unknown) => each === null),
    );
  });
});
