/**
 * What the runs of a prepared operator queue: recorded once for each set of buffers that it is run on, bind groups included,
 * and played again from then on, so that a run in the steady state makes nothing and looks nothing up by name.
 */
import type { Program, Recorder } from './program.ts';

export type Command =
  | {
      readonly kind: 'dispatch';
      readonly program: Program;
      readonly group: GPUBindGroup;
      /** Workgroups along x, y, z. */
      readonly counts: readonly [number, number, number];
    }
  | { readonly kind: 'copy'; readonly source: GPUBuffer; readonly target: GPUBuffer; readonly bytes: number }
  | { readonly kind: 'clear'; readonly buffer: GPUBuffer };

export interface Recordings {
  /** @param buffers of the operator's fields, always in the same order; not kept, so the caller may fill one array again */
  of(buffers: readonly GPUBuffer[]): readonly Command[];
  clear(): void;
}

interface Recording {
  readonly buffers: readonly GPUBuffer[];
  readonly commands: readonly Command[];
}

interface BoundBuffers {
  readonly layout: GPUBindGroupLayout;
  readonly buffers: readonly GPUBuffer[];
  readonly group: GPUBindGroup;
}

/** Recordings kept of one operator: more sets of fields than one is run on in turn. */
const KEPT = 32;

function sameBuffers(a: readonly GPUBuffer[], b: readonly GPUBuffer[]): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return a.length === b.length;
}

/** Records one run. Dispatches of the same buffers share a bind group. */
function recordRun(device: GPUDevice, record: (recorder: Recorder) => void): readonly Command[] {
  const commands: Command[] = [];
  const bound: BoundBuffers[] = [];
  const groupOf = ({ label, layout }: Program, buffers: readonly GPUBuffer[]): GPUBindGroup => {
    const found = bound.find((other) => other.layout === layout && sameBuffers(other.buffers, buffers));
    if (found) return found.group;
    const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
    const group = device.createBindGroup({ label: `${label}.bindings`, layout, entries });
    bound.push({ layout, buffers, group });
    return group;
  };
  record({
    dispatch(program, buffers, [x, y = 1, z = 1]) {
      commands.push({ kind: 'dispatch', program, group: groupOf(program, buffers), counts: [x, y, z] });
    },
    copy: (source, target, bytes) => commands.push({ kind: 'copy', source, target, bytes }),
    clear: (buffer) => commands.push({ kind: 'clear', buffer }),
  });
  return commands;
}

/** @param record records a run on the buffers of the operator's fields; it must depend on nothing else */
export function createRecordings(
  device: GPUDevice,
  record: (recorder: Recorder, buffers: readonly GPUBuffer[]) => void,
): Recordings {
  /** The one used last comes first. */
  const kept: Recording[] = [];
  return {
    of(buffers) {
      let at = 0;
      while (at < kept.length && !sameBuffers(kept[at].buffers, buffers)) at += 1;
      if (at === 0 && kept.length > 0) return kept[0].commands;
      const own = [...buffers];
      const [used] =
        at < kept.length
          ? kept.splice(at, 1)
          : [{ buffers: own, commands: recordRun(device, (recorder) => record(recorder, own)) }];
      kept.unshift(used);
      if (kept.length > KEPT) kept.pop();
      return used.commands;
    },
    clear: () => {
      kept.length = 0;
    },
  };
}
