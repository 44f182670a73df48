/**
 * Runs are recorded into one command encoder and submitted when something is read or written, or when enough has gathered.
 * While somebody listens to kernel times, each run has a pass of its own with timestamps, or waits at a fence where the
 * adapter has none; otherwise runs share a pass.
 */
import type { KernelSample } from '../backend.ts';
import type { BindGroups } from './bind-groups.ts';
import { createPassClock } from './clock.ts';
import type { Recorder } from './program.ts';

/** What a run does, before its time is known; its first dispatch says in which workgroups. */
export type KernelWork = Omit<KernelSample, 'microseconds' | 'clock' | 'workgroup'> & {
  workgroup?: KernelSample['workgroup'];
};

export interface CommandQueue {
  /** Records one run. @param record is given what it records with */
  run(work: KernelWork, groups: BindGroups, record: (recorder: Recorder) => void): void;
  /** The encoder, outside of a pass, for copies. */
  encoder(): GPUCommandEncoder;
  submit(): void;
  /** Hears the time of every run from now on. @returns what ends that */
  onKernel(listener: (sample: KernelSample) => void): () => void;
  /** Tells the times of what was submitted and is done. */
  collectTimes(): Promise<void>;
  dispose(): void;
}

/** Dispatches after which the gathered work is handed to the device, so that it works while more is recorded. */
const DISPATCHES_PER_SUBMISSION = 512;

export function createCommandQueue(device: GPUDevice): CommandQueue {
  const clock = createPassClock(device);
  const listeners = new Set<(sample: KernelSample) => void>();
  let commands: GPUCommandEncoder | undefined;
  let pass: GPUComputePassEncoder | undefined;
  let dispatches = 0;
  let lastFence = 0;

  const tell = (sample: KernelSample): void => {
    for (const listener of listeners) listener(sample);
  };
  function endPass(): void {
    pass?.end();
    pass = undefined;
  }
  function open(): GPUCommandEncoder {
    commands ??= device.createCommandEncoder({ label: 'shoal.commands' });
    return commands;
  }
  function encoder(): GPUCommandEncoder {
    endPass();
    return open();
  }
  function submit(): void {
    endPass();
    if (!commands) return;
    clock?.resolve(commands);
    device.queue.submit([commands.finish()]);
    commands = undefined;
    dispatches = 0;
  }
  function beginPass(work: KernelWork): GPUComputePassEncoder {
    if (clock?.full) submit();
    const timestampWrites = listeners.size > 0 ? clock?.begin(work) : undefined;
    pass = open().beginComputePass({ label: work.name, timestampWrites });
    return pass;
  }
  function recorderOf(whole: KernelWork, groups: BindGroups): Recorder {
    let work = whole;
    const inPass = (): GPUComputePassEncoder => {
      if (pass) return pass;
      // A run that is split by copies counts its work once, in its first pass.
      const begun = beginPass(work);
      work = { ...whole, bytes: 0, flops: 0 };
      return begun;
    };
    return {
      dispatch: (program, buffers, [x, y = 1, z = 1]) => {
        whole.workgroup ??= program.workgroup;
        const into = inPass();
        into.setPipeline(program.pipeline);
        into.setBindGroup(0, groups.of(program, buffers));
        into.dispatchWorkgroups(x, y, z);
        dispatches += 1;
      },
      copy: (source, target, bytes) => encoder().copyBufferToBuffer(source, 0, target, 0, bytes),
      clear: (buffer) => encoder().clearBuffer(buffer),
    };
  }
  /** Submits what was recorded and times it by the wall clock, from the end of what came before it. */
  function timeByFence(work: KernelWork): void {
    submit();
    const submitted = performance.now();
    const done = device.queue.onSubmittedWorkDone().then(() => {
      const now = performance.now();
      const microseconds = (now - Math.max(submitted, lastFence)) * 1000;
      lastFence = now;
      tell({ ...work, microseconds, clock: 'wall' });
    });
    // A device that is lost meanwhile is reported by whatever waits for results.
    done.catch(() => undefined);
  }

  return {
    encoder,
    submit,
    run(work, groups, record) {
      const timed = listeners.size > 0;
      if (timed && clock) endPass();
      else if (timed) submit();
      record(recorderOf(work, groups));
      if (timed && clock) endPass();
      else if (timed) timeByFence(work);
      if (dispatches >= DISPATCHES_PER_SUBMISSION) submit();
    },
    onKernel(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async collectTimes() {
      await clock?.collect(tell);
    },
    dispose() {
      listeners.clear();
      clock?.dispose();
    },
  };
}
