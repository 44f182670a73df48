import { describe, expect, it } from 'vitest';
import type { Program, Recorder } from '../../../engine/compute/webgpu/program.ts';
import { createRecordings } from '../../../engine/compute/webgpu/recordings.ts';

/** Imitates a device: counts the bind groups that are made of it. */
function countingDevice() {
  const made: GPUBindGroupDescriptor[] = [];
  const createBindGroup = (description: GPUBindGroupDescriptor): GPUBindGroup => {
    made.push(description);
    return {} as GPUBindGroup;
  };
  return { made, device: { createBindGroup } as unknown as GPUDevice };
}

const buffer = (): GPUBuffer => ({}) as GPUBuffer;
const program = (label: string): Program => ({
  label,
  pipeline: {} as GPUComputePipeline,
  layout: {} as GPUBindGroupLayout,
  workgroup: [64],
});

function set() {
  const { made, device } = countingDevice();
  const [first, second, scratch] = [program('first'), program('second'), buffer()];
  let runs = 0;
  const recordings = createRecordings(device, (recorder: Recorder, [x, y]) => {
    runs += 1;
    recorder.clear(scratch);
    for (let step = 0; step < 3; step++) recorder.dispatch(first, [x, scratch], [4]);
    recorder.dispatch(second, [x, scratch], [2, 3]);
    recorder.copy(scratch, y, 16);
  });
  return { made, recordings, recorded: () => runs, scratch };
}

describe('recordings', () => {
  it('hold the commands of a run in order', () => {
    const { recordings, scratch } = set();
    const [x, y] = [buffer(), buffer()];
    const commands = recordings.of([x, y]);
    expect(commands.map(({ kind }) => kind)).toEqual(['clear', 'dispatch', 'dispatch', 'dispatch', 'dispatch', 'copy']);
    expect(commands[4]).toMatchObject({ program: { label: 'second' }, counts: [2, 3, 1] });
    expect(commands[5]).toEqual({ kind: 'copy', source: scratch, target: y, bytes: 16 });
  });

  it('are made once for each set of buffers, with one bind group for each program and its buffers', () => {
    const { made, recordings, recorded } = set();
    const [x, y, z] = [buffer(), buffer(), buffer()];
    const first = recordings.of([x, y]);
    const second = recordings.of([z, y]);
    expect(second).not.toBe(first);
    expect(recordings.of([x, y])).toBe(first);
    expect(recordings.of([z, y])).toBe(second);
    expect(recorded()).toBe(2);
    expect(made.map(({ label }) => label)).toEqual([
      'first.bindings',
      'second.bindings',
      'first.bindings',
      'second.bindings',
    ]);
  });

  it('do not keep the array that they were asked with', () => {
    const { recordings, recorded } = set();
    const [x, y] = [buffer(), buffer()];
    const asked = [x, y];
    recordings.of(asked);
    asked[0] = buffer();
    recordings.of(asked);
    recordings.of([x, y]);
    expect(recorded()).toBe(2);
  });

  it('forget what was used longest ago, and everything when cleared', () => {
    const { recordings, recorded } = set();
    const [x, y] = [buffer(), buffer()];
    recordings.of([x, y]);
    for (let other = 0; other < 31; other++) recordings.of([buffer(), y]);
    recordings.of([x, y]);
    expect(recorded()).toBe(32);
    for (let other = 0; other < 32; other++) recordings.of([buffer(), y]);
    recordings.of([x, y]);
    expect(recorded()).toBe(65);
    recordings.clear();
    recordings.of([x, y]);
    expect(recorded()).toBe(66);
  });
});
