import { describe, expect, it } from 'vitest';
import { timeStage, type StageSize } from '../../../app/cli/bench/stage/draw.ts';
import { nodeGpu } from '../../../app/cli/adapters.ts';
import { createWebGpuBackend } from '../../../engine/index.ts';
import { countColours } from '../../e2e/desktop/picture.ts';
import { backends } from '../../setup/backends.ts';

const [WIDTH, HEIGHT] = [96, 64];

const hasGpu = backends.some(({ name }) => name === 'webgpu');

async function drawn(look: StageSize['look'], signal: AbortSignal) {
  const backend = await createWebGpuBackend(await nodeGpu());
  try {
    const size = { cells: 16, views: 4, look, width: WIDTH, height: HEIGHT };
    return await timeStage(backend, size, { mostFrames: 2, mostMilliseconds: 60_000, signal });
  } finally {
    backend.dispose();
  }
}

describe.skipIf(!hasGpu)('the stage without a display', () => {
  it.each(['colour-mapped', 'photoreal'] as const)('draws truth and methods (%s), and times a frame', async (look) => {
    const { picture, ...times } = await drawn(look, new AbortController().signal);
    expect(times).toMatchObject({ cells: 16, look, width: WIDTH, height: HEIGHT, views: 4, frames: 2 });
    expect(times.least).toBeGreaterThan(0);
    expect(times.median).toBeGreaterThanOrEqual(times.least);
    expect(times.hostMilliseconds).toBeLessThanOrEqual(times.median);
    // Two frames one after the other take as long as both.
    expect(times.framesPerSecond).toBeLessThanOrEqual(1000 / times.least);
    const middleOf = (column: number, row: number): Uint8Array => {
      const [w, h] = [WIDTH / 4, HEIGHT / 4];
      const [left, top] = [column * (WIDTH / 2) + w / 2, row * (HEIGHT / 2) + h / 2];
      return Uint8Array.from({ length: 3 * w * h }, (_, n) => {
        const pixel = Math.floor(n / 3);
        return picture[3 * ((top + Math.floor(pixel / w)) * WIDTH + left + (pixel % w)) + (n % 3)];
      });
    };
    for (const [column, row] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ]) {
      const rgb = middleOf(column, row);
      expect(countColours({ width: WIDTH / 4, height: HEIGHT / 4, rgb })).toBeGreaterThan(12);
    }
  });

  it('gives up on request', async () => {
    const stopping = new AbortController();
    stopping.abort(new Error('enough'));
    await expect(drawn('photoreal', stopping.signal)).rejects.toThrow('enough');
  });
});
