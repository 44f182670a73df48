import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseScenario, previewScenario } from '../../../../engine/index.ts';
import { paintPreview } from '../../../../app/document/scenario/scenario-picture.ts';

const files = readdirSync('scenarios').filter((file) => file.endsWith('.json') && !file.includes('schema'));

describe('pictures of the scenarios that ship', () => {
  it.each(files)('%s has one with what moves in it', async (file) => {
    const { scenario } = parseScenario(readFileSync(`scenarios/${file}`, 'utf8'), file);
    const preview = await previewScenario(scenario);
    if (!preview) throw new Error('no picture');
    const [across, along] = preview.kind === 'basin' ? [preview.nx, preview.ny] : [preview.nx, preview.rows];
    expect(Math.max(across, along)).toBeLessThanOrEqual(72);
    const { nx, ny, dx, dy } = scenario.grid;
    // A ring's picture has places across and steps downwards, sixty of them.
    const aspect = preview.kind === 'basin' ? (nx * dx) / (ny * dy) : nx / 60;
    expect(across / along).toBeCloseTo(aspect, 0);
    const { width, height, pixels } = await paintPreview(preview);
    expect(pixels).toHaveLength(4 * width * height);
    const shades = new Set<number>();
    for (let at = 0; at < pixels.length; at += 4)
      shades.add(pixels[at] + 256 * pixels[at + 1] + 65_536 * pixels[at + 2]);
    expect(shades.size).toBeGreaterThan(50);
  });

  it('has none for a scenario that needs files', async () => {
    const truth = { initial: { kind: 'file', file: 'state.npy' } };
    const { scenario } = parseScenario(JSON.stringify({ version: 3, name: 'with-file', truth }), 'with-file.json');
    expect(await previewScenario(scenario)).toBeUndefined();
  });
});

describe('paintPreview', () => {
  it('paints dry land as land, with y upwards', async () => {
    const [nx, ny] = [8, 8];
    const bed = Float64Array.from({ length: nx * ny }, (_, cell) => (cell < nx * 4 ? -1 : 0.5));
    const depth = bed.map((elevation) => Math.max(0, -elevation));
    const { width, height, pixels } = await paintPreview({ kind: 'basin', nx, ny, bed, depth });
    const blueOverRed = (row: number): number => {
      const at = 4 * (row * width + width / 2);
      return pixels[at + 2] - pixels[at];
    };
    // The land is in the upper half, sand has more red than blue, water at rest has as much of both.
    expect(blueOverRed(1)).toBeLessThan(-20);
    expect(blueOverRed(height - 2)).toBeGreaterThan(-20);
  });
});
