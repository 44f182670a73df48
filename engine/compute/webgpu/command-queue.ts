/**
 * Runs are recorded into one command encoder and submitted when something is read or written, or when enough has gathered.
 * While somebody listens to kernel times, each run has a pass of its own with timestamps, or waits at a fence where the
 * adapter has none; otherwise runs share a pass.
 */
import type { KernelSample } from '../backend.ts';
import { createPassClock } from './clock.ts';
import type { Command } from './recordings.ts';

/** What a run does, before its time is known; its first dispatch says in which workgroups. */
export type KernelWork = Omit<KernelSample, 'microseconds' | 'clock' | 'workgroup'> & {
  workgroup?: KernelSample['workgroup'];
};

export interface CommandQueue {
  /** Queues one run: its commands in their order. */
  run(work: KernelWork, commands: readonly Command[]): void;
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
  function play(whole: KernelWork, commands: readonly Command[]): void {
    let work = whole;
    const inPass = (): GPUComputePassEncoder => {
      if (pass) return pass;
      // A run that is split by copies counts its work once, in its first pass.
      const begun = beginPass(work);
      work = { ...whole, bytes: 0, flops: 0 };
      return begun;
    };
    for (const command of commands) {
      switch (command.kind) {
        case 'dispatch': {
          const { program, group, counts } = command;
          whole.workgroup ??= program.workgroup;
          const into = inPass();
          into.setPipeline(program.pipeline);
          into.setBindGroup(0, group);
          into.dispatchWorkgroups(counts[0], counts[1], counts[2]);
          dispatches += 1;
          break;
        }
        case 'copy':
          encoder().copyBufferToBuffer(command.source, 0, command.target, 0, command.bytes);
          break;
        case 'clear':
          encoder().clearBuffer(command.buffer);
          break;
        default:
          command satisfies never;
      }
    }
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
    run(work, commands) {
      const timed = listeners.size > 0;
      if (timed && clock) endPass();
      else if (timed) submit();
      play(work, commands);
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
