/** The one door into the engine: everything outside engine/ imports from here. */
export * from './errors.ts';
export type * from './compute/backend.ts';
export { createReferenceBackend } from './compute/reference/reference-backend.ts';
export { createWebGpuBackend } from './compute/webgpu/webgpu-backend.ts';
export type { WebGpuBackendHandle } from './compute/webgpu/webgpu-backend.ts';
export { summariseAdapter } from './compute/webgpu/device.ts';
export type { AdapterSummary } from './compute/webgpu/device.ts';
export { formatNpy, parseNpy } from './files/npy.ts';
export type { NpyArray } from './files/npy.ts';
export * from './scenario/index.ts';
