/** Every way of opening a scenario file in a browser, and what becomes of a wrong one. */
import { zipSync } from 'fflate';
import { File as NetcdfFile, ready } from 'h5wasm';
import { describe, expect, it } from 'vitest';
import { isNightly } from '../../setup/nightly.ts';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';

interface TextFile {
  readonly name: string;
  readonly text: string;
}

function scenarioFile(name: string): TextFile {
  return { name: `${name}.json`, text: JSON.stringify(smallScenario(name, 200), null, 2) };
}

async function choose({ page }: Laboratory, { name, text }: TextFile): Promise<void> {
  const asked = page.waitForEvent('filechooser');
  await page.keyboard.press('Control+o');
  await (await asked).setFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
}

/** A scenario that names a table, and a table of many wrong lines. */
function wrongTable(lines: number): { name: string; mimeType: string; buffer: Buffer }[] {
  const network = { kind: 'file', file: 'places.csv' };
  const observations = [{ name: 'places', network, errorStandardDeviation: 0.1 }];
  const scenario = { ...smallScenario('listed', 200), observations };
  return [
    { name: 'listed.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(scenario)) },
    { name: 'places.csv', mimeType: 'text/csv', buffer: Buffer.from(`x,y,time\n${'1,two,3\n'.repeat(lines)}`) },
  ];
}

async function drop({ page }: Laboratory, { name, text }: TextFile): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    (file) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([file.text], file.name, { type: 'application/json' }));
      return transfer;
    },
    { name, text },
  );
  const stage = page.getByRole('main', { name: 'Stage' });
  await stage.dispatchEvent('dragover', { dataTransfer });
  await expect.poll(() => page.getByText('Drop a scenario file to run it').count()).toBe(1);
  await stage.dispatchEvent('drop', { dataTransfer });
  await expect.poll(() => page.getByText('Drop a scenario file to run it').count()).toBe(0);
}

/** A scenario whose bed is in a NetCDF file, and that file, whole or damaged. */
async function netcdfBed(name: string, isWhole: boolean): Promise<ReturnType<typeof wrongTable>> {
  const { FS } = await ready;
  const made = new NetcdfFile('/bed.nc', 'w');
  const bed = Float32Array.from({ length: 24 * 24 }, (_, cell) => -1 - 0.1 * Math.sin(cell));
  made.create_dataset({ name: 'bed', data: bed, shape: [24, 24], chunks: [24, 24], compression: 4 });
  made.close();
  const bytes = FS.readFile('/bed.nc');
  if (!isWhole) bytes.fill(0xa5, bytes.length / 2);
  const model = { scheme: 'central-upwind', bathymetry: { kind: 'netcdf', file: 'bed.nc', variable: 'bed' } };
  const scenario = { ...smallScenario(name, 200), model };
  return [
    { name: `${name}.json`, mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(scenario)) },
    { name: 'bed.nc', mimeType: 'application/x-netcdf', buffer: Buffer.from(bytes) },
  ];
}

describe.runIf(hasHost)('files', () => {
  withBrowser();

  it('opens a scenario that was chosen, dropped, or opened lately', async () => {
    const laboratory = await openLaboratory({ scenario: smallScenario('given', 200) });
    const { page } = laboratory;
    await laboratory.atSpeed(4);
    await laboratory.reach(1);

    await choose(laboratory, scenarioFile('chosen'));
    await expect.poll(() => laboratory.title(), { timeout: PATIENCE }).toBe('Small basin chosen');
    await laboratory.reach(1);

    await drop(laboratory, scenarioFile('dropped'));
    await expect.poll(() => laboratory.title(), { timeout: PATIENCE }).toBe('Small basin dropped');
    await laboratory.reach(1);

    await page.keyboard.press('g');
    const gallery = page.getByRole('dialog', { name: 'Scenarios' });
    await gallery.getByRole('button', { name: 'chosen.json' }).click();
    await expect.poll(() => laboratory.title(), { timeout: PATIENCE }).toBe('Small basin chosen');
  });

  it('reports each problem of a wrong file with its path and line, and continues with what was running', async () => {
    const laboratory = await openLaboratory({ scenario: smallScenario('running', 200) });
    const { page } = laboratory;
    await laboratory.atSpeed(4);
    await laboratory.reach(1);

    const { text } = scenarioFile('wrong');
    const wrong = text.replace('"nx": 24', '"nx": "many"').replace('"halfWidth": ', '"halfWdith": ');
    const lineOf = (part: string): number => wrong.split('\n').findIndex((line) => line.includes(part)) + 1;
    await choose(laboratory, { name: 'wrong.json', text: wrong });
    const notice = page.getByRole('alert').filter({ hasText: 'The scenario cannot be opened' });
    await notice.waitFor();
    const problems = await notice.getByRole('listitem').allInnerTexts();
    expect(problems).toContainEqual(expect.stringMatching(new RegExp(`${lineOf('"many"')}:\\d+.*grid\\.nx`)));
    expect(problems).toContainEqual(
      expect.stringMatching(
        new RegExp(`${lineOf('halfWdith')}:\\d+.*methods\\[2\\]\\.localisation\\.halfWdith.*halfWidth`),
      ),
    );

    expect(await laboratory.title()).toBe('Small basin running');
    const then = await laboratory.cycle();
    await laboratory.reach(then + 2);

    await drop(laboratory, { name: 'broken.json', text: '{ "version": 3,' });
    await expect
      .poll(() => page.getByRole('alert').allInnerTexts(), { timeout: PATIENCE })
      .toContainEqual(expect.stringContaining('broken.json'));
    await laboratory.reach((await laboratory.cycle()) + 1);
    expect(await laboratory.title()).toBe('Small basin running');
  });

  it.runIf(isNightly)('reads what is large beside the page, and continues with what was running', async () => {
    const laboratory = await openLaboratory({ scenario: smallScenario('running', 200) });
    const { page } = laboratory;
    await laboratory.atSpeed(4);
    await laboratory.reach(1);
    const workers: string[] = [];
    page.on('worker', (worker) => workers.push(/[\w-]+-worker/.exec(worker.url())?.[0] ?? 'another'));
    const alerts = () => page.getByRole('alert').allInnerTexts();
    const chosen = page.waitForEvent('filechooser');
    await page.keyboard.press('Control+o');
    await (await chosen).setFiles(wrongTable(300_000));
    await expect
      .poll(alerts, { timeout: PATIENCE })
      .toContainEqual(expect.stringContaining('places.csv: line 2: y: found "two"'));
    const asked = page.waitForEvent('filechooser');
    await laboratory.command('Open run');
    // A hundred megabytes in a hundred kilobytes.
    const buffer = Buffer.from(zipSync({ 'run.json': new Uint8Array(100 * 2 ** 20) }));
    await (await asked).setFiles({ name: 'run.zip', mimeType: 'application/zip', buffer });
    await expect.poll(alerts, { timeout: PATIENCE }).toContainEqual(expect.stringContaining('100 times its size'));
    expect(workers).toEqual(expect.arrayContaining(['reading-worker', 'archive-worker']));
    await laboratory.reach((await laboratory.cycle()) + 1);
    expect(await laboratory.title()).toBe('Small basin running');
  });

  it.runIf(isNightly)(
    'reads a bed from NetCDF in a worker of its own, and reports a damaged one by its name',
    async () => {
      const laboratory = await openLaboratory({ scenario: smallScenario('running', 200) });
      const { page } = laboratory;
      await laboratory.atSpeed(4);
      await laboratory.reach(1);
      const workers: string[] = [];
      page.on('worker', (worker) => workers.push(/([\w-]+?-worker)/.exec(worker.url())?.[1] ?? ''));
      const chooseBoth = async (files: ReturnType<typeof wrongTable>): Promise<void> => {
        const chosen = page.waitForEvent('filechooser');
        await page.keyboard.press('Control+o');
        await (await chosen).setFiles(files);
      };
      await chooseBoth(await netcdfBed('damaged', false));
      await expect
        .poll(() => page.getByRole('alert').allInnerTexts(), { timeout: PATIENCE })
        .toContainEqual(expect.stringMatching(/model\.bathymetry\.file: bed\.nc: /));
      expect(await laboratory.title()).toBe('Small basin running');
      await chooseBoth(await netcdfBed('bedded', true));
      await expect.poll(() => laboratory.title(), { timeout: PATIENCE }).toBe('Small basin bedded');
      await laboratory.reach(1);
      expect(workers).toContain('hdf5-worker');
    },
  );
});
