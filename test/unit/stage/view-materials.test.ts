/** One program for all views: it is built once, and each view shows its own water with it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTextureCanvas, makeWater, type Water } from '../../../app/cli/bench/stage/draw.ts';
import { nodeGpu } from '../../../app/cli/adapters.ts';
import { createBasinViews } from '../../../app/stage/basin-views.ts';
import { createCameraRig } from '../../../app/stage/camera-rig.ts';
import { openDeviceRenderer } from '../../../app/stage/device-renderer.ts';
import { NO_ROOM } from '../../../app/stage/framing.ts';
import { createSnapshotNumbers } from '../../../app/stage/snapshot-numbers.ts';
import type { StageModel } from '../../../app/stage/stage-model.ts';
import type { FieldId } from '../../../app/fields/fields.ts';
import { TRUTH } from '../../../app/document/views/method-style.ts';
import { readerFor } from '../../../app/document/values/plane-readers.ts';
import { createWebGpuBackend } from '../../../engine/index.ts';
import type { WebGpuBackendHandle } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';

const [WIDTH, HEIGHT] = [96, 64];
/** Water, its side, stems; bed, earth, walls, rim. */
const MATERIALS = 7;
/** Number of these that follow the field. */
const OF_FIELD = 3;

describe.skipIf(!backends.some(({ name }) => name === 'webgpu'))('views of several methods', () => {
  let backend: WebGpuBackendHandle;
  let water: Water;
  beforeAll(async () => {
    backend = await createWebGpuBackend(await nodeGpu());
    water = await makeWater(backend, 16);
  });
  afterAll(() => {
    water.dispose();
    backend.dispose();
  });

  /** A stage of the first of the subjects, and how many materials were built for it so far. */
  async function openStage(subjects: number) {
    const { basin, methods, from, to } = water;
    const canvas = createTextureCanvas(backend.device, WIDTH, HEIGHT);
    const opened = await openDeviceRenderer(canvas.element, backend.device);
    const { renderer } = opened;
    renderer.setSize(WIDTH, HEIGHT, false);
    let builds = 0;
    renderer.debug.onNodeBuilderCreated = () => {
      builds += 1;
    };
    const rig = createCameraRig();
    let told = 0;
    const views = createBasinViews(
      basin,
      backend.device,
      readerFor(backend.device),
      createSnapshotNumbers(basin),
      opened.inSoftware,
      () => {
        told += 1;
      },
    );
    const model: StageModel = {
      run: 1,
      basin,
      snapshot: to,
      isRunning: false,
      transit: undefined,
      subjects: [{ label: TRUTH, members: 1, isFreeRun: false }, ...methods].slice(0, subjects),
      fields: ['surface'],
      phase: 'analysis',
      look: 'colour-mapped',
      exaggeration: 20,
      rangeMode: 'shared',
      freeRunCounts: false,
      lockedRanges: {},
      camerasLinked: true,
      followsWave: false,
      showsObservations: true,
      showsBathymetry: true,
      theme: 'dark',
      reducedMotion: true,
      room: NO_ROOM,
    };
    const show = async (field: FieldId, snapshot = to, look: StageModel['look'] = 'colour-mapped'): Promise<number> => {
      const before = builds;
      views.update({ ...model, snapshot, look, fields: [field] }, WIDTH, HEIGHT);
      views.draw(renderer, rig, 0);
      await opened.settled();
      return builds - before;
    };
    return {
      from,
      to,
      show,
      /** Shows a cycle that is new, and again once its range and its waves were read of the device: those of all cycles count. */
      async learn(snapshot = to): Promise<void> {
        const before = told;
        await show('surface', snapshot);
        await expect.poll(() => told, { timeout: 30_000 }).toBeGreaterThan(before);
        await show('surface', snapshot);
      },
      read: () => canvas.read(),
      dispose() {
        views.dispose();
        opened.dispose();
        canvas.dispose();
      },
    };
  }

  it.each([1, 4])('builds each material once for %i of them, and for another field what follows it', async (count) => {
    const stage = await openStage(count);
    try {
      expect(await stage.show('surface')).toBe(MATERIALS);
      expect(await stage.show('depth')).toBeLessThanOrEqual(OF_FIELD);
      expect(await stage.show('surface', stage.from)).toBe(0);
    } finally {
      stage.dispose();
    }
  });

  it('draws real water in colours of its own, and comes back to the map’s', async () => {
    const stage = await openStage(1);
    try {
      await stage.learn();
      const simple = await stage.read();
      await stage.show('surface', stage.to, 'photoreal');
      const real = await stage.read();
      const unlike = real.reduce((sum, component, n) => sum + Number(Math.abs(component - simple[n]) > 24), 0);
      // The basin takes most of the picture, and both looks leave the rest alone.
      expect(unlike / real.length).toBeGreaterThan(0.2);
      expect([...real.subarray(0, 3)]).toEqual([...simple.subarray(0, 3)]);
      await stage.show('surface');
      expect(await stage.read()).toEqual(simple);
    } finally {
      stage.dispose();
    }
  });

  it('draws in each its own water, whatever the others show', async () => {
    const stage = await openStage(4);
    try {
      await stage.learn(stage.from);
      await stage.learn();
      const first = await stage.read();
      const rows = (picture: Uint8Array, column: 0 | 1, row: 0 | 1): Uint8Array[] => {
        const [width, height] = [WIDTH / 2, HEIGHT / 2];
        return Array.from({ length: height }, (_, y) => {
          const start = 3 * ((row * height + y) * WIDTH + column * width);
          return picture.slice(start, start + 3 * width);
        });
      };
      const quarters = [rows(first, 0, 0), rows(first, 1, 0), rows(first, 0, 1), rows(first, 1, 1)];
      for (const [k, quarter] of quarters.entries()) {
        for (const other of quarters.slice(k + 1)) expect(quarter).not.toEqual(other);
      }
      // Another cycle in between leaves nothing behind.
      await stage.show('surface', stage.from);
      expect(await stage.read()).not.toEqual(first);
      const again = async (): Promise<Uint8Array> => {
        await stage.show('surface');
        return stage.read();
      };
      await expect.poll(again, { timeout: 30_000 }).toEqual(first);
    } finally {
      stage.dispose();
    }
  });
});
