/**
 * The kernels of all rooms (`*.as.ts`), compiled into one module when the program is built, in variants for what machines can
 * do. Which one is used is found out by asking whether a small module is valid.
 */

/**
 * `threads-relaxed`: shared memory and fused multiply-adds (relaxed SIMD), whose last bits depend on the processor; `threads`:
 * shared memory; `single`: memory of one thread.
 */
export type KernelVariant = 'threads-relaxed' | 'threads' | 'single';

/** (func (result v128) (f32x4.relaxed_madd (v128.const 0) (v128.const 0) (v128.const 0))) but for how constants are made. */
const RELAXED_MODULE = Uint8Array.from([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 19, 1, 17, 0, 65, 0, 253, 19, 65, 0, 253, 19, 65,
  0, 253, 19, 253, 133, 2, 11,
]);

/** (func (result v128) (i8x16.popcnt (i8x16.splat (i32.const 0)))) */
const SIMD_MODULE = Uint8Array.from([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** What this JavaScript engine offers. */
export interface KernelFeatures {
  readonly simd: boolean;
  readonly relaxedSimd: boolean;
  /** Whether memory may be shared between threads: in a page only where it is isolated from other origins. */
  readonly threads: boolean;
}

export function kernelFeatures(): KernelFeatures {
  if (typeof WebAssembly === 'undefined') return { simd: false, relaxedSimd: false, threads: false };
  const { crossOriginIsolated = true } = globalThis as { readonly crossOriginIsolated?: boolean };
  return {
    simd: WebAssembly.validate(SIMD_MODULE),
    relaxedSimd: WebAssembly.validate(RELAXED_MODULE),
    threads: crossOriginIsolated && typeof SharedArrayBuffer !== 'undefined',
  };
}

export function variantFor({ relaxedSimd, threads }: KernelFeatures): KernelVariant {
  if (!threads) return 'single';
  return relaxedSimd ? 'threads-relaxed' : 'threads';
}

const TEXTS: Readonly<Record<KernelVariant, () => Promise<{ readonly default: string }>>> = {
  'threads-relaxed': () => import('virtual:shoal-kernels/threads-relaxed'),
  threads: () => import('virtual:shoal-kernels/threads'),
  single: () => import('virtual:shoal-kernels/single'),
};

const compiled = new Map<KernelVariant, Promise<WebAssembly.Module>>();

async function compile(variant: KernelVariant): Promise<WebAssembly.Module> {
  const { default: text } = await TEXTS[variant]();
  return WebAssembly.compile(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
}

/** Begins to compile the kernels that `createWasmBackend` uses in this thread; it reports if they cannot be. */
export function compileKernels(): void {
  const features = kernelFeatures();
  if (features.simd) kernelModule(variantFor(features)).catch(() => undefined);
}

/** Compiled once in a thread. */
export function kernelModule(variant: KernelVariant): Promise<WebAssembly.Module> {
  let module = compiled.get(variant);
  if (!module) {
    module = compile(variant);
    compiled.set(variant, module);
  }
  return module;
}
