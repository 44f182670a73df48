import { describe, expect, it } from 'vitest';
import { tuningTasks } from '../../../engine/index.ts';

const GPU = { threads: 1, workgroupInvocations: 1024, workgroupBytes: 49_152, subgroups: true };
const LEAST_GPU = { threads: 1, workgroupInvocations: 256, workgroupBytes: 16_384, subgroups: false };
const PROCESSOR = { threads: 4, workgroupInvocations: 0, workgroupBytes: 0, subgroups: false };

describe.each([
  { backend: 'wasm' as const, devices: [PROCESSOR, { ...PROCESSOR, threads: 1 }] },
  { backend: 'webgpu' as const, devices: [GPU, LEAST_GPU] },
])('the tuning tasks of $backend', ({ backend, devices }) => {
  const tasks = tuningTasks(backend);

  it('are one for each kernel and class of sizes', () => {
    const keys = tasks.map(({ kernel, sizeClass }) => `${kernel} ${sizeClass}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('have something to choose from on every device', () => {
    const counts = devices.flatMap((traits) => tasks.map((task) => task.candidates(traits).length));
    for (const count of counts) expect(count).toBeGreaterThan(1);
  });

  it('begin with those of runs, which are fewer', () => {
    const ofRuns = tuningTasks(backend, 'runs');
    expect(ofRuns.length).toBeGreaterThan(0);
    expect(ofRuns.length).toBeLessThan(tasks.length);
    expect(tasks.slice(0, ofRuns.length)).toEqual(ofRuns);
  });
});

it('the reference backend has none', () => {
  expect(tuningTasks('reference')).toEqual([]);
});

it('a GPU that can do more is offered more', () => {
  const offered = (traits: typeof GPU) => tuningTasks('webgpu').flatMap((task) => task.candidates(traits)).length;
  expect(offered(GPU)).toBeGreaterThan(offered(LEAST_GPU));
});
