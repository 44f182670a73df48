/** Where a session computes, and why: the choice, apart from the machine it is made on. */
import { BackendError } from '../../../engine/index.ts';
import type { AdapterSummary, BackendName } from '../../../engine/index.ts';

export interface BackendChoice {
  readonly name: BackendName;
  /** For people: why this one. */
  readonly reason: string;
}

/**
 * `auto` takes the GPU where it is hardware; one that is simulated on the CPU is used when it is asked for, never by itself.
 *
 * @throws BackendError when WebGPU is asked for and there is none
 */
export function chooseBackend(asked: 'auto' | BackendName, adapter: AdapterSummary | undefined): BackendChoice {
  if (asked === 'reference') return { name: 'reference', reason: 'as asked for' };
  if (asked === 'webgpu') {
    if (!adapter) throw new BackendError('no WebGPU adapter was found in this window; choose the reference backend');
    return {
      name: 'webgpu',
      reason: adapter.software ? 'as asked for; the adapter is software: slow' : 'as asked for',
    };
  }
  if (!adapter) return { name: 'reference', reason: 'no GPU was found' };
  if (adapter.software) return { name: 'reference', reason: `the only adapter, ${adapter.description}, is software` };
  return { name: 'webgpu', reason: 'a GPU was found' };
}
