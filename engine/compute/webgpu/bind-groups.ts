/** Bind groups of a prepared operator, made once for each program and set of buffers. */
import type { Program } from './program.ts';

export interface BindGroups {
  /** @param buffers at the bindings 0, 1, … of the program */
  of(program: Program, buffers: readonly GPUBuffer[]): GPUBindGroup;
  clear(): void;
}

const identities = new WeakMap<object, number>();
let nextIdentity = 0;

/** A number that an object keeps, for keys. */
function identityOf(object: object): number {
  let identity = identities.get(object);
  if (identity === undefined) {
    identity = nextIdentity++;
    identities.set(object, identity);
  }
  return identity;
}

export function createBindGroups(device: GPUDevice): BindGroups {
  const groups = new Map<string, GPUBindGroup>();
  return {
    of({ label, layout }, buffers) {
      const key = [layout, ...buffers].map(identityOf).join(',');
      let group = groups.get(key);
      if (!group) {
        group = device.createBindGroup({
          label: `${label}.bindings`,
          layout,
          entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
        });
        groups.set(key, group);
      }
      return group;
    },
    clear: () => groups.clear(),
  };
}
