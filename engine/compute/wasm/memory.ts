/**
 * The memory of the `wasm` backend: one linear memory for all fields, tables and parameters, handed out in blocks and taken
 * back. It grows by itself up to what 32-bit addresses reach.
 */
import { BackendError, LimitError } from '../../errors.ts';

export interface MemoryBlock {
  /** In bytes from the beginning, a multiple of 64. */
  readonly address: number;
  /** Bytes at its beginning that somebody may have had before; what nobody has had is zeros. */
  readonly usedBytes: number;
  free(): void;
}

export interface KernelMemory {
  readonly memory: WebAssembly.Memory;
  /** @returns how many pages of 64 KiB it has now */
  pages(): number;
  /** Contents are undefined. @throws LimitError naming what asks when there is no room */
  allocate(label: string, bytes: number): MemoryBlock;
}

const PAGE = 65_536;
/** A cache line; a multiple of a SIMD vector. */
const ALIGNMENT = 64;
/** Pages at the beginning that belong to the compiled module: its constants. */
const MODULE_PAGES = 1;
/** Bytes at the end that nobody gets: vectors are read past the end of what they are of. */
const GUARD = 1024;
/** What is asked for, the largest first: a machine may refuse to set aside so many addresses. */
const LARGEST_PAGES = [65_536, 32_768, 16_384, 4096] as const;
/** Growth is by at least this share, so that there is little of it. */
const LEAST_GROWTH = 0.25;
const LEAST_GROWTH_PAGES = 64;

interface Span {
  address: number;
  bytes: number;
}

/** @throws BackendError if no memory is available */
function openMemory(shared: boolean): { readonly memory: WebAssembly.Memory; readonly pages: number } {
  let refusal: unknown;
  for (const pages of LARGEST_PAGES) {
    try {
      return { memory: new WebAssembly.Memory({ initial: MODULE_PAGES, maximum: pages, shared }), pages };
    } catch (error) {
      refusal = error;
    }
  }
  throw new BackendError(
    'no memory can be reserved for the wasm backend, which needs 10 GiB of addresses: raise the limit of this process ' +
      '(ulimit -v), or use the reference backend',
    { cause: refusal },
  );
}

/** @param shared between threads; the page must be isolated from other origins then */
export function createKernelMemory(shared: boolean): KernelMemory {
  const { memory, pages: largest } = openMemory(shared);
  let end = MODULE_PAGES * PAGE;
  let guarded = false;
  /** Memory from here on was never used. */
  let used = end;
  /** By address; no two of them touch. */
  const free: Span[] = [];

  const release = (span: Span): void => {
    let at = free.findIndex(({ address }) => address > span.address);
    if (at < 0) at = free.length;
    free.splice(at, 0, span);
    // The span after it first, so that its index holds.
    for (const first of [at, at - 1]) {
      const [left, right] = [free[first], free[first + 1]];
      if (!left || !right || left.address + left.bytes !== right.address) continue;
      left.bytes += right.bytes;
      free.splice(first + 1, 1);
    }
  };

  const grow = (label: string, bytes: number): void => {
    const last = free.at(-1);
    const usable = last && last.address + last.bytes === end ? last.bytes : 0;
    const guard = guarded ? 0 : GUARD;
    const needed = Math.ceil((bytes + guard - usable) / PAGE);
    const before = Math.ceil(end / PAGE);
    const wanted = Math.max(needed, LEAST_GROWTH_PAGES, Math.ceil(LEAST_GROWTH * before));
    const added = [wanted, needed].find((pages) => {
      if (before + pages > largest) return false;
      try {
        memory.grow(pages);
        return true;
      } catch {
        return false;
      }
    });
    if (added === undefined) {
      throw new LimitError(
        `${label}: ${bytes} bytes asked for, the wasm backend holds ${end} of at most ${largest * PAGE}; ` +
          'use a smaller grid or fewer members, or --backend reference',
      );
    }
    release({ address: end, bytes: added * PAGE - guard });
    end += added * PAGE - guard;
    guarded = true;
  };

  /** The smallest span that has room. */
  const bestFor = (bytes: number): Span | undefined => {
    let best: Span | undefined;
    for (const span of free) {
      if (span.bytes >= bytes && (!best || span.bytes < best.bytes)) best = span;
    }
    return best;
  };

  return {
    memory,
    pages: () => Math.ceil(end / PAGE),
    allocate(label, asked) {
      const bytes = ALIGNMENT * Math.ceil(Math.max(1, asked) / ALIGNMENT);
      let span = bestFor(bytes);
      if (!span) {
        grow(label, bytes);
        span = bestFor(bytes);
      }
      if (!span) throw new LimitError(`${label}: no room for ${bytes} bytes`);
      const { address } = span;
      span.address += bytes;
      span.bytes -= bytes;
      if (span.bytes === 0) free.splice(free.indexOf(span), 1);
      const usedBytes = Math.min(bytes, Math.max(0, used - address));
      used = Math.max(used, address + bytes);
      let held = true;
      return {
        address,
        usedBytes,
        free() {
          if (held) release({ address, bytes });
          held = false;
        },
      };
    },
  };
}
