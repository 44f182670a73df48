/** What journeys save, and how they read it. */
import { readFileSync } from 'node:fs';
import type { Laboratory } from './laboratory.ts';

export interface Saved {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Does what ends in a download. */
export async function saved({ page }: Laboratory, action: () => Promise<void>): Promise<Saved> {
  const begun = page.waitForEvent('download');
  await action();
  const download = await begun;
  return { name: download.suggestedFilename(), bytes: new Uint8Array(readFileSync(await download.path())) };
}

export function textOf({ bytes }: Pick<Saved, 'bytes'>): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** Saves a chart of the evidence on screen. */
export async function saveChart(laboratory: Laboratory, id: string, format: string): Promise<Saved> {
  const figure = laboratory.page.locator(`[data-figure=${id}]`);
  const entry = figure.getByRole('button', { name: `Save as ${format}` });
  const file = await saved(laboratory, async () => {
    await figure.getByRole('button', { name: /save, numbers$/ }).click();
    await entry.click();
  });
  // The menu takes the focus while it is open.
  await entry.waitFor({ state: 'hidden' });
  return file;
}

export interface Csv {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Reads a CSV of numbers and names without quotes. */
export function readCsv(text: string): Csv {
  const [columns, ...rows] = text
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  return { columns, rows };
}
