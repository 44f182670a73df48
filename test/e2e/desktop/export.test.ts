/** What is saved, opened and checked: charts as CSV, SVG and PNG, the stage, the run's folder, the scenario, the command. */
import { AxeBuilder } from '@axe-core/playwright';
import { unzipSync, zipSync } from 'fflate';
import { beforeEach, describe, expect, it } from 'vitest';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';
import { countColours, cropped, readPng } from './picture.ts';
import { saveChart, saved, textOf } from './saving.ts';

describe.runIf(hasHost)('saving', () => {
  withBrowser();
  let laboratory: Laboratory;
  beforeEach(async () => {
    laboratory = await openLaboratory({ scenario: smallScenario('saving', 40) });
    await laboratory.reach(3);
    await laboratory.pause();
    const { page } = laboratory;
    if (!(await page.getByRole('tab', { name: 'Errors' }).isVisible())) await laboratory.command('Evidence panel');
  });

  it('saves a chart as numbers and as pictures', async () => {
    const csv = await saveChart(laboratory, 'rmse', 'CSV');
    expect(csv.name).toBe('saving-rmse.csv');
    const [head, ...rows] = textOf(csv).trimEnd().split('\r\n');
    expect(head.toLowerCase()).toContain('cycle');
    expect(rows.length).toBeGreaterThanOrEqual(4);
    const columns = head.split(',').length;
    expect(new Set(rows.map((row) => row.split(',').length))).toEqual(new Set([columns]));

    const svg = await saveChart(laboratory, 'rmse', 'SVG');
    expect(svg.name).toBe('saving-rmse.svg');
    const text = textOf(svg);
    expect(text).toMatch(/^<svg[^>]* xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(text.match(/<path/g)?.length).toBeGreaterThan(3);
    expect(text).not.toMatch(/(href|src)="http|NaN/);
    // Title, scenario, unit and caption go with the picture.
    const words = [...text.matchAll(/<text[^>]*>([^<]*)</g)].map(([, word]) => word).join(' ');
    for (const word of [
      'Error and spread',
      'Small basin saving, seed 7',
      'RMSE of h (m)',
      'Cycle',
      'against the truth.',
    ])
      expect(words).toContain(word);

    const png = await saveChart(laboratory, 'rmse', 'PNG');
    expect(png.name).toBe('saving-rmse.png');
    const picture = readPng(png.bytes);
    const width = Number(/<svg[^>]* width="(\d+)/.exec(text)?.[1]);
    expect(picture.width % width).toBe(0);
    expect(countColours(picture)).toBeGreaterThan(8);

    const table = await saveChart(laboratory, 'methods', 'CSV');
    const lines = textOf(table).trimEnd().split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(['Free run', '3D-Var', 'LETKF']);
  });

  it('enlarges a chart over the window, with an axis of decades', async () => {
    const { page } = laboratory;
    const figure = page.locator('[data-figure=rmse]');
    const chart = figure.locator('svg.chart').first();
    const before = await chart.boundingBox();
    await figure.getByRole('button', { name: 'Error and spread: enlarge' }).click();
    const window = page.viewportSize() ?? { width: 0, height: 0 };
    await expect.poll(async () => (await chart.boundingBox())?.height).toBeGreaterThan(0.5 * window.height);
    expect((await chart.boundingBox())?.width).toBeGreaterThan(0.85 * window.width);
    const ticks = () => figure.locator('.chart-area').first().locator('svg.chart').textContent();
    const linear = await ticks();
    await figure.getByRole('button', { name: 'Error and spread: save, numbers' }).click();
    await figure.getByRole('button', { name: 'Logarithmic axis' }).click();
    await expect.poll(ticks).not.toBe(linear);
    expect((await new AxeBuilder({ page }).include('[data-figure=rmse]').analyze()).violations).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(async () => (await chart.boundingBox())?.height).toBe(before?.height);
  });

  it('saves the stage as a picture', async () => {
    await laboratory.water();
    const png = await saved(laboratory, () => laboratory.command('Save the stage as a picture'));
    expect(png.name).toMatch(/^saving-cycle-\d+\.png$/);
    const picture = readPng(png.bytes);
    expect(picture.width).toBe(3840);
    expect(countColours(picture)).toBeGreaterThan(40);
    // Below the views: scenario and cycle at the left, the colours at the right.
    const canvas = await laboratory.page.locator('.stage-canvas').boundingBox();
    const views = Math.round(((canvas?.height ?? 0) * picture.width) / (canvas?.width ?? 1));
    const foot = { y: views + 4, width: Math.floor(picture.width / 2), height: picture.height - views - 8 };
    expect(foot.height).toBeGreaterThan(20);
    expect(countColours(cropped(picture, { ...foot, x: 0 }))).toBeGreaterThan(3);
    expect(countColours(cropped(picture, { ...foot, x: picture.width - foot.width }))).toBeGreaterThan(12);
  });

  /** Opens the tab of kernel times, where they are measured against the machine. @returns all that is written there */
  async function kernelTexts(): Promise<readonly string[]> {
    const { page } = laboratory;
    await page.getByRole('tab', { name: 'Speed' }).click();
    const texts = page.locator('[data-figure=kernels] svg.chart text');
    await expect.poll(() => texts.allTextContents(), { timeout: PATIENCE }).toContain('Copy bandwidth');
    return texts.allTextContents();
  }

  async function openFolder(name: string, bytes: Uint8Array): Promise<void> {
    const chosen = laboratory.page.waitForEvent('filechooser');
    await laboratory.command('Open run folder');
    await (await chosen).setFiles({ name, mimeType: 'application/zip', buffer: Buffer.from(bytes) });
  }

  it('shows each kernel beside what this machine can do, and saves that', async () => {
    const texts = await kernelTexts();
    expect(texts).toEqual(expect.arrayContaining(['Multiply-add rate', 'Empty run', 'Clock', 'letkf']));
    expect(texts).toContainEqual(expect.stringMatching(/^wall clock, [\d.]+ µs steps$/));
    expect(texts).toContainEqual(expect.stringMatching(/^[\d.]+ ms · [\d.]+ %$/));
    expect(texts).toContainEqual(expect.stringMatching(/% of the (copy bandwidth|multiply-add rate)$/));
    const [head, ...rows] = textOf(await saveChart(laboratory, 'kernels', 'CSV'))
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    const cell = (row: readonly string[], column: string): string => row[head.indexOf(column)];
    const analysis = rows.find((row) => cell(row, 'kernel') === 'letkf') ?? [];
    expect(Number(cell(analysis, 'GFLOP/s'))).toBeGreaterThan(0);
    expect(Number(cell(analysis, 'fraction of ceiling'))).toBeGreaterThan(0);
    expect(Number(cell(analysis, 'copy ceiling (GB/s)'))).toBeGreaterThan(0);
    expect(cell(analysis, 'clock')).toBe('wall');
    const svg = textOf(await saveChart(laboratory, 'kernels', 'SVG'));
    for (const text of ['Copy bandwidth', 'GFLOP/s', 'letkf', '% of the ']) expect(svg).toContain(text);
  });

  it('opens a run folder that it saved with its states, shows its numbers and its kernels, and plays it', async () => {
    const { page } = laboratory;
    const kernels = await kernelTexts();
    await laboratory.command('Save run with its states');
    const dialog = page.getByRole('dialog', { name: 'Save the run with its states' });
    await dialog.getByLabel('and members of the ensembles').check();
    await dialog.getByRole('textbox', { name: 'Members' }).fill('0,2-9');
    await dialog.getByText('found 6, allowed: members from 0 to 5 and ranges of them, as 0-1').waitFor();
    await dialog.getByRole('textbox', { name: 'Members' }).fill('0,2');
    const zip = await saved(laboratory, () => dialog.getByRole('button', { name: 'Save…' }).click());
    const names = Object.keys(unzipSync(zip.bytes)).map((name) => name.replace(/^.*\//, ''));
    expect(names).toEqual(expect.arrayContaining(['run.json', 'fields.nc', 'fields.bin']));
    await page.getByText(/^With the states of \d+ cycles in fields\.nc/).waitFor();
    await page.getByRole('tab', { name: 'Errors' }).click();
    const table = page.locator('[data-figure=methods] tbody tr');
    const before = await table.allTextContents();
    const other = page.waitForEvent('filechooser');
    await page.keyboard.press('Control+o');
    const buffer = Buffer.from(JSON.stringify(smallScenario('other', 4)));
    await (await other).setFiles({ name: 'other.json', mimeType: 'application/json', buffer });
    await expect.poll(() => laboratory.title(), { timeout: PATIENCE }).toBe('Small basin other');
    await laboratory.reach(1);
    await openFolder(zip.name, zip.bytes);
    await expect.poll(() => laboratory.title(), { timeout: PATIENCE }).toBe('Small basin saving');
    await expect.poll(() => table.allTextContents(), { timeout: PATIENCE }).toEqual(before);
    // What the process computes with, and what a cycle asks of it, is of the run that continues; a folder has the kernels.
    const ofProcess = kernels.indexOf('Threads');
    expect(kernels.slice(ofProcess, ofProcess + 6)).toEqual([
      'Threads',
      expect.stringMatching(/^\d+$/),
      'Dispatches a cycle',
      expect.stringMatching(/^\d+$/),
      'Waits, uploads, readbacks',
      'none',
    ]);
    expect(await kernelTexts()).toEqual(kernels.toSpliced(ofProcess, 6));
    // The run thinned out nothing, and the folder has each of its cycles.
    await page.locator('.stored-cycles').waitFor();
    await page.getByRole('slider', { name: 'Cycle on screen' }).focus();
    for (const key of ['Home', '.']) await page.keyboard.press(key);
    await expect.poll(() => laboratory.cycle(), { timeout: PATIENCE }).toBe(1);
    // So has a probe, with the members that were saved.
    await page.getByRole('tab', { name: 'Probes' }).click();
    await page.getByRole('button', { name: 'Pin probe' }).click();
    await page.getByText('Of cycles in fields.bin there are the members 0,2.').waitFor();
  });

  it('writes a report of the run that anybody can read, on a wide screen and on a telephone', async () => {
    const { page } = laboratory;
    const file = await saved(laboratory, () => laboratory.command('Write a report…'));
    expect(file.name).toMatch(/^saving-\d+-report\.html$/);
    const reader = await page.context().newPage();
    const said: string[] = [];
    reader.on('console', (message) => said.push(message.text()));
    try {
      await reader.setContent(textOf(file));
      expect(await reader.getByRole('heading', { level: 1 }).innerText()).toBe('Small basin saving');
      // Maps of the last checkpoint: truth, and error of each method.
      expect(await reader.getByRole('img', { name: /^Surface height, Truth in cycle \d+: from / }).count()).toBe(1);
      expect(await reader.getByRole('img', { name: /^Error, LETKF in cycle/ }).count()).toBe(1);
      for (const [width, colorScheme] of [
        [1440, 'dark'],
        [390, 'light'],
      ] as const) {
        await reader.setViewportSize({ width, height: 800 });
        await reader.emulateMedia({ colorScheme });
        const { violations } = await new AxeBuilder({ page: reader }).setLegacyMode(true).analyze();
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)).toEqual([]);
        expect(await reader.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
      expect(said).toEqual([]);
    } finally {
      await reader.close();
    }
  });

  it('refuses a run folder with a broken file, and continues with what was running', async () => {
    const { page } = laboratory;
    const zip = await saved(laboratory, () => laboratory.command('Save run as folder'));
    const files = unzipSync(zip.bytes);
    const totals = Object.keys(files).find((name) => name.endsWith('kernel-totals.json')) ?? '';
    const whole = new TextDecoder().decode(files[totals]);
    files[totals] = new TextEncoder().encode(whole.replace(/"calls": \d+/, '"calls": "many"'));
    await openFolder(zip.name, zipSync(files));
    const notice = page.getByRole('alert').filter({ hasText: 'The run cannot be opened' });
    await notice.waitFor();
    expect(await notice.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(
        /^kernel-totals\.json:\d+:\d+: kernels\[0\]\.calls: found "many", allowed: a whole number of at least 1$/,
      ),
      'The current run continues.',
    ]);
    expect(await laboratory.title()).toBe('Small basin saving');
    const then = await laboratory.cycle();
    await page.getByRole('button', { name: 'Play', exact: true }).last().click();
    await laboratory.reach(then + 2);
  });

  it('saves the run as a folder, and the scenario as a file that opens again', async () => {
    const { page } = laboratory;
    const zip = await saved(laboratory, () => laboratory.command('Save run as folder'));
    expect(zip.name).toMatch(/^saving-.*\.zip$/);
    const files = unzipSync(zip.bytes);
    const names = Object.keys(files).map((name) => name.replace(/^.*\//, ''));
    expect(names).toEqual(expect.arrayContaining(['run.json', 'diagnostics.csv', 'checkpoint.json']));
    const diagnostics = Object.entries(files).find(([name]) => name.endsWith('diagnostics.csv'));
    expect(new TextDecoder().decode(diagnostics?.[1]).trim().split('\n').length).toBeGreaterThan(9);

    const file = await saved(laboratory, async () => page.keyboard.press('Control+s'));
    expect(file.name).toBe('saving.shoal.json');
    expect(JSON.parse(textOf(file))).toMatchObject({ name: 'saving', grid: { nx: 24, ny: 24 } });
    const asked = page.waitForEvent('filechooser');
    await page.keyboard.press('Control+o');
    await (await asked).setFiles({ name: 'again.json', mimeType: 'application/json', buffer: Buffer.from(file.bytes) });
    await laboratory.reach(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('copies the run as a command', async () => {
    const { page } = laboratory;
    await laboratory.command('Copy as command');
    await page.getByText('Copied the command').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\bshoal\b.*run.*given\.json/);
  });
});
