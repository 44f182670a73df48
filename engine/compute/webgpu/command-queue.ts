/**
 * Runs are recorded into one command encoder and submitted when the host asks for something, or when enough has gathered. While
 * somebody listens to kernel times, each run has a pass of its own with timestamps, or waits at a fence where the adapter has
 * none; otherwise runs share a pass. What comes back, comes back through the staging area.
 */
import type { KernelSample } from '../backend.ts';
import { createPassClock, type StagedMark } from './clock.ts';
import type { Command } from './recordings.ts';
import type { Activities, StagedPart, Staging } from './staging.ts';

/**
 * Short writes in the middle of recorded work: they are gathered on the host, sent together with the submission, and copied to
 * where they belong by the recorded work itself, which hence is not cut in two.
 */
interface Uploads {
  /** Records a write. @returns false where it is too long: the queue must write it itself */
  write(encoder: () => GPUCommandEncoder, target: GPUBuffer, offset: number, data: ArrayBufferView): boolean;
  /** Sends what was gathered. Call right before the recorded work is submitted. */
  send(): void;
  dispose(): void;
}

const ARENA_BYTES = 2 ** 20;

function createUploads(device: GPUDevice): Uploads {
  const gathered = new Uint8Array(ARENA_BYTES);
  let arena: GPUBuffer | undefined;
  let used = 0;
  return {
    write(encoder, target, offset, { buffer, byteOffset, byteLength }) {
      if (used + byteLength > ARENA_BYTES) return false;
      arena ??= device.createBuffer({
        label: 'uploads.arena',
        size: ARENA_BYTES,
        usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC,
      });
      gathered.set(new Uint8Array(buffer, byteOffset, byteLength), used);
      encoder().copyBufferToBuffer(arena, used, target, offset, byteLength);
      used += byteLength;
      return true;
    },
    send() {
      // The queue writes after what was submitted before, which may still copy from the same place.
      if (arena && used > 0) device.queue.writeBuffer(arena, 0, gathered, 0, used);
      used = 0;
    },
    dispose() {
      arena?.destroy();
      arena = undefined;
    },
  };
}

/** What a run does, before its time is known; its first dispatch says in which workgroups. */
type KernelWork = Omit<KernelSample, 'begin' | 'microseconds' | 'clock' | 'workgroup'> & {
  workgroup?: KernelSample['workgroup'];
};

export interface CommandQueue {
  readonly submissions: number;
  readonly dispatches: number;
  /** How long the timing of one run takes at most, about, microseconds: a pass of its own, or a fence. */
  readonly timingMicroseconds: number;
  /** By how much the times at which runs began may be off, at most; 0 where the host's clock took them. */
  readonly clockErrorMicroseconds: number;
  /** Queues one run: its commands in their order. */
  run(work: KernelWork, commands: readonly Command[]): void;
  copy(source: GPUBuffer, sourceOffset: number, target: GPUBuffer, targetOffset: number, bytes: number): void;
  /** Writes after all that is recorded. */
  write(target: GPUBuffer, offset: number, data: Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer>): void;
  stage(source: GPUBuffer, offset: number, bytes: number, part: StagedPart): void;
  /** Stages the moment when all that is recorded is done. */
  mark(staged: StagedMark): void;
  submit(): void;
  /** Reports the time of every run that is recorded from now on. @returns what ends that */
  onKernel(listener: (sample: KernelSample) => void): () => void;
  /** What is recorded is dropped. @param reason what marks in it fail with */
  dispose(reason: Error): void;
}

/** Dispatches after which the gathered work is handed to the device, so that it works while more is recorded. */
const DISPATCHES_PER_SUBMISSION = 512;
const TIMING_MICROSECONDS = { timestamps: 20, fence: 200 } as const;

export function createCommandQueue(device: GPUDevice, staging: Staging, activities: Activities): CommandQueue {
  const clock = createPassClock(device);
  const uploads = createUploads(device);
  const listeners = new Set<(sample: KernelSample) => void>();
  let recording: GPUCommandEncoder | undefined;
  let pass: GPUComputePassEncoder | undefined;
  let waitingDispatches = 0;
  let dispatches = 0;
  let submissions = 0;
  let lastFence = 0;

  /** Reports a time, when it is known, to those who listen now. */
  function reporter(work: KernelWork, clockName: KernelSample['clock']): (microseconds: number, begin: number) => void {
    const listening = [...listeners];
    return (microseconds, begin) => {
      for (const listener of listening) listener({ ...work, begin, microseconds, clock: clockName });
    };
  }
  function endPass(): void {
    pass?.end();
    pass = undefined;
  }
  function open(): GPUCommandEncoder {
    recording ??= device.createCommandEncoder({ label: 'shoal.commands' });
    return recording;
  }
  /** The encoder, outside of a pass. */
  function encoder(): GPUCommandEncoder {
    endPass();
    return open();
  }
  function submit(): void {
    endPass();
    if (!recording) return;
    const begin = performance.now();
    clock?.resolve(recording, staging);
    uploads.send();
    device.queue.submit([recording.finish()]);
    activities.tell('submission', begin);
    recording = undefined;
    submissions += 1;
    waitingDispatches = 0;
  }
  function beginPass(work: KernelWork): GPUComputePassEncoder {
    if (clock?.full) submit();
    const timestampWrites = listeners.size > 0 ? clock?.time(reporter(work, 'device')) : undefined;
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
          waitingDispatches += 1;
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
  /** Submits what was recorded. @param report takes the time when all of it is done, by the wall clock */
  function fence(report: (now: number) => void, fail: (reason: unknown) => void = () => undefined): void {
    submit();
    // A device that is lost meanwhile is reported by whatever waits for results.
    device.queue.onSubmittedWorkDone().then(() => report(performance.now()), fail);
  }
  /** Times what was recorded from the end of what came before it. */
  function timeByFence(work: KernelWork): void {
    const report = reporter(work, 'wall');
    submit();
    const submitted = performance.now();
    fence((now) => {
      const begin = Math.max(submitted, lastFence);
      report((now - begin) * 1000, begin);
      lastFence = now;
    });
  }

  return {
    get submissions() {
      return submissions;
    },
    get dispatches() {
      return dispatches;
    },
    get clockErrorMicroseconds() {
      return clock ? 1000 * clock.errorMilliseconds : 0;
    },
    timingMicroseconds: clock ? TIMING_MICROSECONDS.timestamps : TIMING_MICROSECONDS.fence,
    submit,
    copy(source, sourceOffset, target, targetOffset, bytes) {
      encoder().copyBufferToBuffer(source, sourceOffset, target, targetOffset, bytes);
    },
    write(target, offset, data) {
      if (recording && uploads.write(encoder, target, offset, data)) return;
      // The queue writes before anything submitted later, so what is recorded so far must be submitted first.
      submit();
      device.queue.writeBuffer(target, offset, data);
    },
    stage: (source, offset, bytes, part) => staging.stage(encoder(), source, offset, bytes, part),
    mark(staged) {
      if (!clock) {
        fence(
          (now) => staged.arrive(now),
          (reason) => staged.fail(reason instanceof Error ? reason : new Error(String(reason))),
        );
        return;
      }
      if (clock.full) submit();
      encoder()
        .beginComputePass({ label: 'clock.mark', timestampWrites: clock.mark(staged) })
        .end();
    },
    run(work, commands) {
      const timed = listeners.size > 0;
      if (timed && clock) endPass();
      else if (timed) submit();
      play(work, commands);
      if (timed && clock) endPass();
      else if (timed) timeByFence(work);
      if (waitingDispatches >= DISPATCHES_PER_SUBMISSION) submit();
    },
    onKernel(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    dispose(reason) {
      listeners.clear();
      uploads.dispose();
      clock?.dispose(reason);
    },
  };
}
