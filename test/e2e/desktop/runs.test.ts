/** The list of runs: what is kept when another run begins, curves, baseline, notes, files, and the way back to each. */
import { AxeBuilder } from '@axe-core/playwright';
import { csvParseRows } from 'd3-dsv';
import { describe, expect, it } from 'vitest';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';
import { saveChart, saved, textOf } from './saving.ts';
import type { Saved } from './saving.ts';

const CYCLES = 30;
const NOTE = 'Wider spread, smaller error.';

async function violations({ page }: Laboratory, within: string): Promise<readonly string[]> {
  const { violations: found } = await new AxeBuilder({ page }).setLegacyMode(true).include(within).analyze();
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}

function tidy(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** Plays to the end as quickly as it goes. */
async function playToTheEnd(laboratory: Laboratory): Promise<void> {
  for (let step = 0; step < 6; step += 1) await laboratory.page.keyboard.press('+');
  await laboratory.reach(CYCLES - 1);
}

function rowsOf({ page }: Laboratory) {
  return page.getByRole('list', { name: 'Runs, the newest first' }).locator('> li');
}

/** The row of a run: by its number, which it keeps. */
function rowOf({ page }: Laboratory, number: number) {
  return page.locator(`li[data-run="${number}"]`);
}

/** The numbers of a chart: those of the run on screen, or those of the run beside it. */
async function numbersOf(
  laboratory: Laboratory,
  whose: 'on screen' | 'beside',
): Promise<readonly (readonly string[])[]> {
  const [columns, ...rows] = csvParseRows(textOf(await saveChart(laboratory, 'rmse', 'CSV')));
  const places = columns.flatMap((name, index) => {
    const isNumber = name !== 'cycle' && !name.startsWith('time');
    return isNumber && name.includes(', Inflation') === (whose === 'beside') ? [index] : [];
  });
  return rows.map((row) => places.map((place) => row[place]));
}

async function drop({ page }: Laboratory, files: readonly Saved[]): Promise<void> {
  const contents = files.map(({ name, bytes }) => ({ name, bytes: [...bytes] }));
  const transfer = await page.evaluateHandle((given) => {
    const made = new DataTransfer();
    for (const { name, bytes } of given) made.items.add(new File([new Uint8Array(bytes)], name));
    return made;
  }, contents);
  await page.locator('.runs').dispatchEvent('drop', { dataTransfer: transfer });
}

/** Whether the page's storage has a text in any of its records of runs. */
async function isStored({ page }: Laboratory, text: string): Promise<boolean> {
  return page.evaluate(
    (wanted) =>
      new Promise<boolean>((resolve, reject) => {
        const opening = indexedDB.open('shoal.runs');
        opening.addEventListener('error', () => reject(new Error('the database cannot be opened')));
        opening.addEventListener('success', () => {
          const reading = opening.result.transaction('runs').objectStore('runs').getAll();
          reading.addEventListener('success', () => {
            opening.result.close();
            resolve(JSON.stringify(reading.result).includes(wanted));
          });
        });
      }),
    text,
  );
}

describe.runIf(hasHost)('the list of runs', () => {
  withBrowser();

  it('keeps what was run, lays curves over each other, compares with a baseline, and gives each run back', async () => {
    const letkf = { kind: 'letkf', localisation: { halfWidth: 7 }, inflation: 1.2 };
    const small = smallScenario('kept', CYCLES);
    const inflated = {
      ...small,
      // Damps what such an inflation lets grow, so that nothing is warned of.
      model: { ...(small['model'] as object), friction: { linear: 0.2 } },
      methods: [...(small['methods'] as readonly object[]).slice(0, -1), letkf],
    };
    const laboratory = await openLaboratory({ scenario: inflated, width: 1440, height: 900 });
    const { page } = laboratory;
    await playToTheEnd(laboratory);
    await page.keyboard.press('r');
    await expect.poll(() => rowsOf(laboratory).count(), { timeout: PATIENCE }).toBe(1);
    await expect.poll(() => rowOf(laboratory, 1).innerText()).toContain(`${CYCLES} cycles`);
    expect(await rowOf(laboratory, 1).innerText()).toContain('on screen');
    const first = await numbersOf(laboratory, 'on screen');
    expect(first).toHaveLength(CYCLES);
    await page.keyboard.press('p');
    const pinned = page.getByRole('button', { name: 'Run 1 as baseline' });
    await expect.poll(() => pinned.getAttribute('aria-pressed')).toBe('true');

    // Another inflation from the first cycle on: a run of its own, the other one's curves dashed beside it.
    await page.getByRole('button', { name: 'Show settings' }).click();
    await page.getByRole('searchbox', { name: 'Filter the settings' }).fill('inflation');
    const inflation = page.locator('.settings [data-path="methods[2].inflation"] input').first();
    await inflation.fill('1.4');
    await inflation.press('Enter');
    await page.getByRole('button', { name: 'Apply at the next cycle' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Nothing to apply' }).count()).toBe(1);
    await laboratory.command('Restart with the current settings');
    await expect.poll(() => laboratory.cycle(), { timeout: PATIENCE, interval: 20 }).toBeLessThan(CYCLES - 1);
    await laboratory.reach(CYCLES - 1);
    await page.getByRole('button', { name: 'Show runs' }).click();
    await expect.poll(() => rowsOf(laboratory).count(), { timeout: PATIENCE }).toBe(2);
    await expect
      .poll(async () => tidy(await rowOf(laboratory, 2).innerText()))
      .toMatch(/30 cycles.*LETKF › Inflation 1\.2 → 1\.4/);
    const legend = page.getByRole('list', { name: 'Runs beside this one' });
    await expect.poll(() => legend.innerText()).toContain('Inflation 1.2');
    // The numbers of the first run beside those of the second, to the last digit.
    expect(await numbersOf(laboratory, 'beside')).toEqual(first);
    expect(await numbersOf(laboratory, 'on screen')).not.toEqual(first);
    const picture = textOf(await saveChart(laboratory, 'rmse', 'SVG'));
    expect(picture.match(/>Inflation 1\.2</g)?.length).toBeGreaterThanOrEqual(1);
    const table = page.locator('[data-figure=methods] .baseline');
    await expect
      .poll(async () => tidy(await table.innerText()))
      .toMatch(/Against Inflation 1\.2.*Free run the same.*LETKF /);
    await page.getByRole('tab', { name: 'Innovations' }).click();
    expect(await legend.innerText()).toContain('Inflation 1.2');
    await page.getByRole('tab', { name: 'Cost' }).click();
    await expect
      .poll(() => page.locator('[data-figure=minimisation] .figure-note').first().innerText())
      .toContain('Inflation 1.2: ');
    await page.getByRole('tab', { name: 'Consistency' }).click();
    const figure = (id: string) => page.locator(`[data-figure=${id}]`);
    const curve = page.getByRole('combobox', { name: 'Curve of consistency' });
    await curve.selectOption('octaves');
    const beside = figure('octaves').getByRole('combobox', { name: 'Curve to compare with other runs' });
    await beside.selectOption('Spread');
    // Four curves of a method, three of them drawn back, and the other run's beside the one that was chosen.
    await expect.poll(() => figure('octaves').locator('svg.chart path.chart-line').count()).toBe(5);
    expect(await figure('octaves').locator('svg.chart .chart-faded path.chart-line').count()).toBe(3);
    await curve.selectOption('ranks');
    await expect.poll(() => figure('ranks').locator('.chart-outline').count()).toBe(2);
    expect(await figure('ranks').locator('.figure-note').allInnerTexts()).toContainEqual(
      expect.stringMatching(/LETKF χ².*Inflation 1\.2: χ²/),
    );
    await curve.selectOption('spread-skill');
    const spreads = textOf(await saveChart(laboratory, 'spread-skill', 'CSV'));
    expect(spreads).toContain('"LETKF, Inflation 1.2"');
    await page.getByRole('tab', { name: 'Errors' }).click();

    // By keyboard: to the row, its details, name and note.
    await rowOf(laboratory, 1).locator('.run-title').focus();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Name' }).fill('Much inflation');
    await page.getByRole('textbox', { name: 'Note' }).fill(NOTE);
    expect(await rowOf(laboratory, 2).locator('.run-name').innerText()).toBe('Much inflation');
    for (const theme of ['Dark', 'Light']) {
      await laboratory.command(`${theme} theme`);
      expect(await violations(laboratory, '.panel-settings')).toEqual([]);
      expect(await violations(laboratory, '.overlaid-legend')).toEqual([]);
      expect(await violations(laboratory, '.baseline')).toEqual([]);
    }
    const list = await saved(laboratory, () =>
      page.locator('.runs-head').getByRole('button', { name: 'JSON' }).click(),
    );
    expect(list.name).toBe('runs.json');
    const document = JSON.parse(textOf(list)) as { runs: Record<string, unknown>[] };
    expect(document.runs.map(({ title, note, baseline }) => [title, note, baseline])).toEqual([
      ['Small basin kept', '', true],
      ['Much inflation', NOTE, false],
    ]);
    const lines = textOf(
      await saved(laboratory, () => page.locator('.runs-head').getByRole('button', { name: 'CSV' }).click()),
    );
    expect(lines.split('\r\n').filter((line) => line.includes(NOTE))).toHaveLength(3);

    // Run again: the same numbers, under the entry that it had.
    const packed = await saved(laboratory, () => laboratory.command('Save run as folder'));
    await rowOf(laboratory, 1).locator('.run-title').click();
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await expect.poll(() => rowOf(laboratory, 1).getAttribute('data-on-screen'), { timeout: PATIENCE }).toBe('true');
    await laboratory.reach(CYCLES - 1);
    expect(await rowsOf(laboratory).count()).toBe(2);
    expect(await numbersOf(laboratory, 'on screen')).toEqual(first);

    // Removed, brought back, removed again; its folder brings its numbers back, with no name and no note.
    const second = rowOf(laboratory, 2).locator('.run-title');
    await second.focus();
    await page.keyboard.press('Delete');
    await expect.poll(() => rowsOf(laboratory).count()).toBe(1);
    await page.keyboard.press('Control+z');
    await expect.poll(() => rowOf(laboratory, 2).locator('.run-name').innerText()).toBe('Much inflation');
    await drop(laboratory, [packed]);
    await page.getByText('In the list already').first().waitFor();
    await second.focus();
    await page.keyboard.press('Delete');
    await expect.poll(() => rowsOf(laboratory).count()).toBe(1);
    await drop(laboratory, [{ name: 'letter.txt', bytes: new TextEncoder().encode('no run') }, packed]);
    await page.getByText('letter.txt cannot be added to the list').first().waitFor();
    await expect.poll(() => rowsOf(laboratory).count(), { timeout: PATIENCE }).toBe(2);
    expect(await rowOf(laboratory, 3).innerText()).toContain('Small basin kept');

    // As a table: filtered by a word, sorted by a column, and back to the run in the list.
    await page.locator('.runs-head').getByRole('button', { name: 'Table' }).click();
    const dialog = page.getByRole('dialog', { name: 'Runs' });
    const shown = () => dialog.locator('tbody tr').evaluateAll((all) => all.map((row) => row.getAttribute('data-run')));
    await expect.poll(shown).toEqual(['3', '1']);
    await dialog.getByRole('button', { name: 'Run', exact: true }).click();
    await expect.poll(shown).toEqual(['1', '3']);
    expect(await violations(laboratory, 'dialog')).toEqual([]);
    await dialog.getByRole('searchbox').fill('kept 30');
    await expect.poll(shown).toEqual([]);
    await dialog.getByRole('searchbox').fill('small LETKF');
    await expect.poll(shown).toEqual(['1', '3']);
    await dialog.locator('tr[data-run="3"]').getByRole('button', { name: 'Small basin kept' }).click();
    await page.getByRole('textbox', { name: 'Note' }).waitFor();
    await rowOf(laboratory, 3).locator('.run-title').click();

    // Another page of the same place has the list of this one.
    await rowOf(laboratory, 3).locator('.run-title').click();
    await page.getByRole('textbox', { name: 'Note' }).fill(NOTE);
    await expect.poll(() => isStored(laboratory, NOTE), { timeout: PATIENCE }).toBe(true);
    await page.reload();
    await page.getByRole('button', { name: 'Show runs' }).click();
    await expect.poll(() => rowsOf(laboratory).count(), { timeout: PATIENCE }).toBe(2);
    expect(await rowOf(laboratory, 3).innerText()).toContain(NOTE);
    await expect.poll(() => pinned.getAttribute('aria-pressed')).toBe('true');
  });

  it('fits beside the stage at the smallest size, and hides nothing in presentation', async () => {
    const laboratory = await openLaboratory({ scenario: smallScenario('narrow', CYCLES), width: 1024, height: 700 });
    const { page } = laboratory;
    await laboratory.reach(1);
    await page.keyboard.press('r');
    await rowOf(laboratory, 1).waitFor();
    const wide = () =>
      page.locator('.runs, .runs *').evaluateAll(
        (all) =>
          all.filter((element) => {
            const { right } = element.getBoundingClientRect();
            const panel = element.closest('.panel')?.getBoundingClientRect().right ?? 0;
            return right > panel + 1;
          }).length,
      );
    expect(await wide()).toBe(0);
    await laboratory.command('Stage mode');
    await laboratory.command('Runs panel');
    await rowOf(laboratory, 1).waitFor();
    expect(await wide()).toBe(0);
    await laboratory.command('Runs panel');
    await expect.poll(() => rowsOf(laboratory).count()).toBe(0);
  });
});
