/**
 * The evidence is the same wherever the run is computed: one scenario and seed in a worker (wasm backend, planes in
 * memory) and on the page's GPU (float32, planes on the device, read back where they are asked for).
 */
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { asHardware } from './hardware.ts';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';
import { countColours, readPng, shareOfDifference } from './picture.ts';
import type { Picture } from './picture.ts';
import { readCsv, saveChart, saved, textOf } from './saving.ts';
import type { Csv } from './saving.ts';

const CYCLES = 10;
/** The cell that is read: east and north of the middle, where the crosshair's keys begin. */
const CELL = { x: 13, y: 13 };
const METHODS = ['Free run', '3D-Var', 'LETKF'];
const PINNED_AFTER = 1;

/**
 * Allowed differences in η, m. In float32 the water's depth, near 1 m, is rounded to 6e-8 m at each operation. The spin-up and
 * six cycles are 100 steps of about 50 roundings of each cell: 5000 roundings, which add up to √5000 · 6e-8 = 4e-6 m when
 * they are independent. The analyses see differences of that size in their forecasts and are no less exact; 3D-Var stops
 * where the residual is 1e-4 of what it was, and may stop an iteration apart: 1e-4 of increments below 0.3 m.
 */
const TOLERANCE = 4e-5;

interface Readout {
  readonly title: string;
  readonly numbers: readonly (readonly string[])[];
}

interface Evidence {
  readonly backend: string;
  readonly newest: Readout;
  readonly older: Readout;
  readonly speed: Readout;
  readonly vorticity: Readout;
  readonly cut: readonly string[];
  readonly cutLabel: string;
  readonly probe: Csv;
  readonly spectrum: Csv;
  readonly olderSpectrum: Csv;
  readonly sharedBars: readonly string[];
  readonly ownBars: readonly string[];
  readonly picture: Picture;
  readonly water: readonly [Picture, Picture, Picture];
  readonly folder: Readonly<Record<string, Uint8Array>>;
}

async function readout({ page }: Laboratory, field: string): Promise<Readout> {
  const box = page.getByRole('group', { name: 'Values at the crosshair' });
  const rows = box.locator('tbody tr');
  const texts = (): Promise<string[][]> =>
    rows.evaluateAll((all) => all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')));
  const head = box.getByRole('columnheader').first();
  // Numbers that are on their way are dashes, or say of which cycle they are.
  await expect.poll(async () => (await head.innerText()).toLowerCase(), { timeout: PATIENCE }).toContain(field);
  await expect.poll(async () => (await texts()).flat(), { timeout: PATIENCE }).not.toContain('–');
  const place = box.locator('.readout-cell');
  await expect.poll(() => place.innerText(), { timeout: PATIENCE }).not.toContain('cycle');
  expect(await place.innerText()).toContain(`[${CELL.x}, ${CELL.y}]`);
  return { title: await head.innerText(), numbers: await texts() };
}

async function show(laboratory: Laboratory, wanted: number): Promise<void> {
  const typed = laboratory.page.locator('.cycle-field input');
  await typed.fill(String(wanted));
  await typed.press('Enter');
  await expect.poll(() => laboratory.cycle(), { timeout: PATIENCE }).toBe(wanted);
}

async function spectrum(laboratory: Laboratory, cycle: number): Promise<Csv> {
  const figure = laboratory.page.locator('[data-figure=spectrum]');
  await expect.poll(() => figure.getByRole('heading').innerText(), { timeout: PATIENCE }).toContain(`cycle ${cycle}`);
  expect(await figure.locator('svg.chart path.chart-line').count()).toBe(4);
  return readCsv(textOf(await saveChart(laboratory, 'spectrum', 'CSV')));
}

/** Nothing while numbers of a view are on their way. */
async function bars({ page }: Laboratory): Promise<readonly string[]> {
  const all = await page
    .locator('.colour-bar-colours')
    .evaluateAll((each) => each.map((bar) => ({ label: bar.ariaLabel ?? '', isKnown: bar.ariaBusy === 'false' })));
  return all.every(({ isKnown }) => isKnown) ? all.map(({ label }) => label) : [];
}

async function truthOf(laboratory: Laboratory): Promise<Picture> {
  const found = (await laboratory.water()).get('Truth');
  if (!found) throw new Error('there is no view of the truth');
  return found;
}

/** Goes through all that depends on the numbers of stored cycles. */
async function gather(laboratory: Laboratory): Promise<Evidence> {
  const { page } = laboratory;
  const newest = CYCLES - 1;
  // Slowly, so that there are cycles left when the probe is pinned.
  await page.getByRole('combobox', { name: 'Speed, cycles a second' }).selectOption('0.5');
  await laboratory.reach(PINNED_AFTER);
  expect(await laboratory.pause()).toBeLessThan(newest - 1);
  if (!(await page.getByRole('tab', { name: 'Errors' }).isVisible())) await laboratory.command('Evidence panel');
  const backend = await page.locator('.backend').innerText();

  await page.getByRole('tab', { name: 'Probes' }).click();
  await page.locator('.pin-form input').first().fill(String(CELL.x));
  await page.locator('.pin-form input').last().fill(String(CELL.y));
  await page.getByRole('button', { name: 'Pin probe' }).click();
  const chart = page.locator('[data-figure=probe-1] svg.chart');
  await chart.locator('path.chart-line').first().waitFor();
  for (let cycle = await laboratory.cycle(); cycle < newest; cycle++) {
    await page.getByRole('button', { name: 'One cycle forward' }).last().click();
    await laboratory.reach(cycle + 1);
  }
  await chart.locator('path.chart-bundle').first().waitFor({ state: 'attached' });
  await expect.poll(() => chart.locator('path.chart-line').count()).toBe(METHODS.length + 1);
  const probe = readCsv(textOf(await saveChart(laboratory, 'probe-1', 'CSV')));

  await page.getByRole('tab', { name: 'Errors' }).click();
  const newestSpectrum = await spectrum(laboratory, newest);

  await page.getByRole('application').focus();
  for (const key of ['ArrowRight', 'ArrowUp']) await page.keyboard.press(key);
  const newestReadout = await readout(laboratory, 'surface');
  for (const key of ['Shift+ArrowLeft', 'c', 'Shift+ArrowRight', 'ArrowRight', 'c', 'ArrowLeft']) {
    await page.keyboard.press(key);
  }
  const section = page.getByRole('region', { name: 'Cross-section' }).getByRole('img');
  await expect.poll(() => section.getAttribute('aria-busy'), { timeout: PATIENCE }).toBe('false');
  const cut = await section
    .locator('path[stroke-width]')
    .evaluateAll((all) => all.map((path) => path.getAttribute('d')));
  const cutLabel = (await section.getAttribute('aria-label')) ?? '';
  // By key: a pointer that crossed the stage would take the crosshair away.
  await page.keyboard.press('Escape');
  await expect.poll(() => section.count()).toBe(0);

  const field = page.getByRole('combobox', { name: 'Field', exact: true });
  await field.selectOption('speed');
  const speed = await readout(laboratory, 'speed');
  await expect
    .poll(() => bars(laboratory), { timeout: PATIENCE })
    .toEqual([expect.stringMatching(/^Speed: colours from 0 over [\d.]+ to/)]);
  const sharedBars = await bars(laboratory);
  await laboratory.command('Colour range of each view by itself');
  await expect.poll(async () => (await bars(laboratory)).length).toBeGreaterThan(1);
  const ownBars = await bars(laboratory);
  await laboratory.command('Colour range shared by the views of a field');
  await field.selectOption('vorticity');
  const vorticity = await readout(laboratory, 'vorticity');
  await field.selectOption('surface');

  // A slow machine may not have drawn every cycle. What is drawn for the first time may widen the range that is held.
  await show(laboratory, 0);
  await laboratory.water();
  await show(laboratory, newest);
  const late = await truthOf(laboratory);
  const png = await saved(laboratory, () => laboratory.command('Save the stage as a picture'));
  await show(laboratory, 0);
  const early = await truthOf(laboratory);
  const older = await readout(laboratory, 'surface');
  const olderSpectrum = await spectrum(laboratory, 0);
  await show(laboratory, newest);
  const again = await truthOf(laboratory);
  const zip = await saved(laboratory, () => laboratory.command('Save run as folder'));
  return {
    backend,
    newest: newestReadout,
    older,
    speed,
    vorticity,
    cut: cut.map((path) => path ?? ''),
    cutLabel,
    probe,
    spectrum: newestSpectrum,
    olderSpectrum,
    sharedBars,
    ownBars,
    picture: readPng(png.bytes),
    water: [late, early, again],
    folder: unzipSync(zip.bytes),
  };
}

const SUPERSCRIPT = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** A number as the page writes it: three digits, powers of ten if nothing else fits. */
function numberOf(text: string): number {
  const plain = text
    .replaceAll('−', '-')
    .replaceAll(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (digit) => String(SUPERSCRIPT.indexOf(digit)))
    .replace('⁻', '-')
    .replace('·10', 'e')
    .replace(/^(-?)10(?=-?\d)/, '$11e');
  return Number(plain);
}

/** Rows of a readout as numbers: NaN where a subject has none. */
function numbersOf({ numbers }: Readout): number[][] {
  return numbers.map((row) => row.map((text) => (text === '' ? Number.NaN : numberOf(text))));
}

function column({ columns, rows }: Csv, name: string): number[] {
  const index = columns.indexOf(name);
  if (index < 0) throw new Error(`there is no column ${name}, only ${columns.join(', ')}`);
  return rows.map((row) => (row[index] === '' ? Number.NaN : Number(row[index])));
}

function expectNear(found: readonly number[], expected: readonly number[], tolerance: (value: number) => number): void {
  expect(found).toHaveLength(expected.length);
  const isNear = (value: number, wanted: number): boolean =>
    Number.isNaN(wanted) ? Number.isNaN(value) : Math.abs(value - wanted) <= tolerance(wanted);
  const far = found.flatMap((value, i) => (isNear(value, expected[i]) ? [] : [{ i, value, expected: expected[i] }]));
  expect(far).toEqual([]);
}

/** Three digits of numbers that differ by the tolerance: one of the last digit is at most a hundredth of the number. */
const asWritten = (value: number): number => TOLERANCE + 0.01 * Math.abs(value);

/** Coordinates of paths as they are drawn, pixels. */
function pointsOf(paths: readonly string[]): number[] {
  return paths.flatMap((path) => (path.match(/-?[\d.]+/g) ?? []).map(Number));
}

/** Files of a saved run folder, without the folder's own name. */
function namesOf({ folder }: Evidence): string[] {
  return Object.keys(folder)
    .map((name) => name.replace(/^[^/]*\//, ''))
    .sort();
}

function diagnosticsOf({ folder }: Evidence): Csv {
  const [, bytes] = Object.entries(folder).find(([name]) => name.endsWith('diagnostics.csv')) ?? [];
  return readCsv(textOf({ bytes: bytes ?? new Uint8Array() }));
}

describe.runIf(hasHost)('the evidence', () => {
  withBrowser();
  let worker: Evidence;
  let gpu: Evidence;
  const scenario = smallScenario('evidence', CYCLES);

  it('is gathered from a worker', async () => {
    worker = await gather(await openLaboratory({ scenario }));
    expect(worker.backend).not.toContain('WebGPU');
  });

  it('is gathered from the GPU', async () => {
    gpu = await gather(await openLaboratory({ scenario, before: [asHardware] }));
    expect(gpu.backend).toContain('WebGPU');
  });

  it('reads the same numbers under the crosshair, with units', () => {
    expect(gpu.newest.title).toBe(worker.newest.title);
    expect(gpu.newest.title).toMatch(/\(m\)/);
    expect(gpu.speed.title).toMatch(/\(m\/s\)/);
    for (const [found, expected] of [
      [gpu.newest, worker.newest],
      [gpu.older, worker.older],
    ]) {
      expect(found.numbers.map((row) => row.length)).toEqual([3, 3, 3, 3]);
      expectNear(numbersOf(found).flat(), numbersOf(expected).flat(), asWritten);
    }
    // Momenta over depths near 1 m, and their differences over two cells of 1 m: as exact as η, a few times over.
    for (const name of ['speed', 'vorticity'] as const) {
      expectNear(numbersOf(gpu[name]).flat(), numbersOf(worker[name]).flat(), (value) => 4 * asWritten(value));
    }
  });

  it('has the series of a probe from the first cycle on, with what came before it was pinned', () => {
    const { columns, rows } = gpu.probe;
    expect(column(gpu.probe, 'cycle')).toEqual(Array.from({ length: CYCLES + 1 }, (_, k) => k - 1));
    expect(column(worker.probe, 'cycle')).toEqual(column(gpu.probe, 'cycle'));
    expect(columns).toEqual(worker.probe.columns);
    const means = columns.filter((name) => name.endsWith('η (m)'));
    expect(means).toHaveLength(1 + 2 * METHODS.length);
    for (const name of means) expectNear(column(gpu.probe, name), column(worker.probe, name), () => TOLERANCE);
    const members = columns.filter((name) => name.startsWith('LETKF: member'));
    expect(members).toHaveLength(6);
    expect(rows.at(-1)?.every((cell) => cell !== '')).toBe(true);
    expectNear(
      members.map((name) => column(gpu.probe, name).at(-1) ?? 0),
      members.map((name) => column(worker.probe, name).at(-1) ?? 0),
      () => TOLERANCE,
    );
    // Something moves, and the crosshair read the same number.
    const truth = column(gpu.probe, 'truth η (m)');
    expect(Math.max(...truth) - Math.min(...truth)).toBeGreaterThan(100 * TOLERANCE);
    expectNear([numbersOf(gpu.newest)[0][1], numbersOf(gpu.older)[0][1]], [truth[CYCLES], truth[1]], asWritten);
  });

  it('draws the same cross-section', () => {
    expect(gpu.cutLabel).toBe(worker.cutLabel);
    expect(gpu.cutLabel).toContain(`cycle ${CYCLES - 1}`);
    expect(gpu.cut).toHaveLength(METHODS.length + 1);
    expect(new Set(gpu.cut).size).toBe(gpu.cut.length);
    // Half a pixel of a chart that is 110 high: more than a thousandth of its range.
    expectNear(pointsOf(gpu.cut), pointsOf(worker.cut), () => 0.5);
  });

  it('draws the same error spectra, of this cycle and of an older one', () => {
    for (const [found, expected] of [
      [gpu.spectrum, worker.spectrum],
      [gpu.olderSpectrum, worker.olderSpectrum],
    ]) {
      expect(found.columns).toEqual(expected.columns);
      const wavenumbers = column(found, 'wavenumber (1/m)');
      expect(wavenumbers).toEqual(column(expected, 'wavenumber (1/m)'));
      // The root of a bin's power is the length of a part of the field in an orthonormal basis: lengths differ by no more than
      // the fields do, and an error is the difference of two fields.
      const root = (csv: Csv, name: string): number[] =>
        column(csv, name).map((density) => Math.sqrt(density * wavenumbers[0]));
      for (const name of found.columns.slice(2)) {
        expectNear(root(found, name), root(expected, name), () => 2 * TOLERANCE);
        expect(Math.max(...root(found, name))).toBeGreaterThan(10 * TOLERANCE);
      }
    }
  });

  it('colours by the same ranges, shared and of each view', () => {
    expect(gpu.sharedBars).toEqual(worker.sharedBars);
    expect(gpu.ownBars).toEqual(worker.ownBars);
  });

  it('shows older water again, and the newest as it was', () => {
    for (const { water } of [worker, gpu]) {
      const [late, early, again] = water;
      expect(shareOfDifference(late, early)).toBeGreaterThan(0.1);
      // Ranges and heights hold still while they fit: what was seen in between may have left them a step wider.
      expect(shareOfDifference(late, again)).toBeLessThan(0.02);
    }
  });

  it('saves a picture', () => {
    for (const { picture } of [worker, gpu]) expect(countColours(picture)).toBeGreaterThan(40);
  });

  it('saves the same run folder', () => {
    expect(namesOf(gpu)).toEqual(namesOf(worker));
    const [found, expected] = [diagnosticsOf(gpu), diagnosticsOf(worker)];
    expect(found.columns).toEqual(expected.columns);
    expect(found.rows).toHaveLength(CYCLES * METHODS.length);
    for (const name of ['rmse_analysis_h', 'rmse_forecast_h', 'spread_analysis_h']) {
      expectNear(column(found, name), column(expected, name), () => 2 * TOLERANCE);
    }
  });
});
