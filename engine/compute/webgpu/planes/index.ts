/**
 * Planes of numbers on the GPU, for whoever draws and reads them while a run continues: copies that outlive what computed
 * them, their numbers as far as they are asked for, and textures of them. All works on one device, without a backend.
 */
export { planeStride } from './device-plane.ts';
export type { DevicePlane } from './device-plane.ts';
export { blockCount } from './gather.ts';
export type { PlaneBlocks, PlaneMeans } from './gather.ts';
export { createPlaneBuffers } from './plane-buffers.ts';
export { createDevicePlaneReader } from './plane-reader.ts';
export type { DevicePlaneReader, DevicePlaneRequest } from './plane-reader.ts';
export { createPlaneTextures } from './plane-textures.ts';
export type { PlaneTextures } from './plane-textures.ts';
