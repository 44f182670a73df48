/** Where a run computes, and why: the choice, apart from the machine it is made on. */
import type { BackendName } from '../compute/backend.ts';

export type BackendChoice = 'auto' | BackendName;

export interface ChosenBackend {
  readonly name: BackendName;
  /** For people: why this one. */
  readonly reason: string;
}

/**
 * `auto` takes the GPU where it is hardware; one that is simulated on the CPU is used when it is asked for, never by itself.
 *
 * @param adapter that a WebGPU backend would get; undefined where there is none
 * @returns undefined where WebGPU is asked for and there is none
 */
export function chooseBackend(
  asked: BackendChoice,
  adapter: { readonly description: string; readonly software: boolean } | undefined,
): ChosenBackend | undefined {
  if (asked === 'reference') return { name: 'reference', reason: 'as asked for' };
  if (asked === 'webgpu') {
    if (!adapter) return undefined;
    const reason = adapter.software ? 'as asked for; the adapter is software: slow' : 'as asked for';
    return { name: 'webgpu', reason };
  }
  if (!adapter) return { name: 'reference', reason: 'no GPU was found' };
  if (adapter.software) return { name: 'reference', reason: `the only adapter, ${adapter.description}, is software` };
  return { name: 'webgpu', reason: 'a GPU was found' };
}
