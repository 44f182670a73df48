/** A film of the stage. */
import { describe, expect, it } from 'vitest';
import { hasHost, openLaboratory, smallScenario, withBrowser } from './laboratory.ts';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { saved } from './saving.ts';

/** What a film is made of, as another program would read it. */
async function readFilm(bytes: Uint8Array) {
  const input = new Input({ source: new BufferSource(bytes), formats: ALL_FORMATS });
  const tracks = await input.getVideoTracks();
  const [track] = tracks;
  let frames = 0;
  for await (const _ of new EncodedPacketSink(track).packets()) frames += 1;
  return {
    tracks: tracks.length,
    frames,
    seconds: await input.computeDuration(),
    size: [track.displayWidth, track.displayHeight],
  };
}

describe.runIf(hasHost)('a film', () => {
  withBrowser();

  const scenario = smallScenario('saving', 40);

  it('is made of stored cycles, frame by frame', async () => {
    const laboratory = await openLaboratory({ scenario });
    const { page } = laboratory;
    await laboratory.reach(3);
    await laboratory.pause();
    await laboratory.command('Make a film');
    const dialog = page.getByRole('dialog', { name: 'Make a film' });
    await dialog.getByLabel('To cycle').fill('99');
    expect(await dialog.getByLabel('To cycle').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('To cycle').fill('1');
    await dialog.getByLabel('Seconds for each cycle').fill('0.1');
    await dialog.getByLabel('Frames a second').selectOption('24');
    await expect.poll(() => dialog.getByRole('status').textContent()).toContain('26 frames, 2 s of film');
    const before = await page.getByRole('slider', { name: 'Cycle on screen' }).getAttribute('aria-valuetext');
    await dialog.getByRole('button', { name: 'Make a film' }).click();
    const save = dialog.getByRole('button', { name: 'Save the film' });
    await save.waitFor();
    // It is still there after the dialog was closed.
    await dialog.getByRole('button', { name: 'Close' }).click();
    await laboratory.command('Make a film');
    const film = await saved(laboratory, () => save.click());
    expect(film.name).toMatch(/^saving-cycles-0-1\.(webm|mp4)$/);
    const { tracks, frames, seconds, size } = await readFilm(film.bytes);
    expect({ tracks, frames, size }).toEqual({ tracks: 1, frames: 26, size: [1920, 1080] });
    expect(seconds).toBeCloseTo(26 / 24, 2);
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.getByRole('slider', { name: 'Cycle on screen' }).getAttribute('aria-valuetext')).toBe(before);
  });

  it('is given up, and the stage is as before', async () => {
    const laboratory = await openLaboratory({ scenario });
    const { page } = laboratory;
    await laboratory.reach(3);
    await laboratory.pause();
    await laboratory.command('Make a film');
    const dialog = page.getByRole('dialog', { name: 'Make a film' });
    await dialog.getByRole('button', { name: 'Make a film' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'hidden' });
    expect(await dialog.getByRole('alert').count()).toBe(0);
    await page.keyboard.press('Escape');
    await laboratory.water();
  });
});
