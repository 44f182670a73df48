import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { segmentTable, standardNormal } from '../../../engine/operators/standard-normal/index.ts';
import { randomStream, streamWords } from '../../../engine/random/stream.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';

const SEED = 2 ** 40 + 7;

function radius(values: Float64Array, pair: number): number {
  return Math.hypot(values[2 * pair], values[2 * pair + 1]);
}

describe.each(allBackends)('standard normal numbers on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  async function draw(names: readonly string[], starts: readonly number[], length: number): Promise<Float64Array> {
    const segments = names.map((name, i) => ({ words: streamWords(SEED, name, 3, i), first: starts[i] }));
    // Room for one segment more than there are.
    const count = segments.length + 1;
    const { output } = await applyOperator(
      backend,
      standardNormal,
      { length, segments: count },
      { streams: segmentTable(segments, count), output: length },
    );
    return output;
  }

  it('are those that the streams draw, in segments of any length', async () => {
    const names = ['gauges', 'tracks', 'nothing', 'buoys'];
    const starts = [0, 1001, 1200, 1200];
    const length = 20_000;
    const expected = new Float64Array(length);
    names.forEach((name, i) => {
      const stream = randomStream(SEED, name, 3, i);
      for (let position = starts[i]; position < (starts[i + 1] ?? length); position++) {
        expected[position] = stream.normal();
      }
    });
    const found = await draw(names, starts, length);
    // Radius (up to 5.5 here) and direction have a few roundings of float32 each.
    const bound = precision === 'float32' ? 8 * 2 ** -24 : 0;
    expect(found).toBeClose(expected, { absolute: 5.5 * bound });
  });

  it('are the same numbers of a stream where others of it are omitted', async () => {
    const stream = randomStream(SEED, 'gauges', 3, 0);
    const whole = Float64Array.from({ length: 3000 }, () => stream.normal());
    // Of one stream, from an odd and from an even number on, and as many segments as a kernel has to search.
    const words = streamWords(SEED, 'gauges', 3, 0);
    const segments = Array.from({ length: 40 }, (_, i) => ({ words, first: 3 * i, skipped: 70 * i + (i % 2) }));
    const { output } = await applyOperator(
      backend,
      standardNormal,
      { length: 120, segments: 43 },
      { streams: segmentTable(segments, 43), output: 120 },
    );
    const expected = Float64Array.from({ length: 120 }, (_, position) => {
      const { first, skipped } = segments[Math.floor(position / 3)];
      return whole[skipped + position - first];
    });
    const bound = precision === 'float32' ? 8 * 2 ** -24 : 0;
    expect(output).toBeClose(expected, { absolute: 5.5 * bound });
  });

  it('keep their digits where the radius is next to nothing', async () => {
    const length = 400_000;
    const stream = randomStream(SEED, 'many', 3, 0);
    const expected = Float64Array.from({ length }, () => stream.normal());
    const found = await draw(['many'], [0], length);

    const small = Array.from({ length: length / 2 }, (_, pair) => pair).filter((pair) => radius(expected, pair) < 0.02);
    expect(small.length).toBeGreaterThan(10);
    const bound = precision === 'float32' ? 8 * 2 ** -24 : 0;
    const worst = Math.max(...small.map((pair) => Math.abs(radius(found, pair) / radius(expected, pair) - 1)));
    expect(worst).toBeLessThanOrEqual(bound);
  });
});
