/**
 * Asks for a GPU device with what the kernels need. The GPU object comes from outside (the browser's `navigator.gpu`, or a
 * package under Node), so the engine itself depends on neither.
 */
import { BackendError } from '../../errors.ts';

/**
 * @param bytes of each buffer
 * @returns whether the device can hold these buffers beside what it holds now. Asked for by itself, so that a refusal is not
 *   taken for a fault of whoever else works on the device
 */
export async function hasRoomFor(device: GPUDevice, bytes: readonly number[]): Promise<boolean> {
  device.pushErrorScope('out-of-memory');
  const tried = bytes.map((size) => device.createBuffer({ label: 'room', size, usage: GPUBufferUsage.STORAGE }));
  const refusal = await device.popErrorScope();
  for (const buffer of tried) buffer.destroy();
  return refusal === null;
}

/** A hardware adapter, or one that runs on the CPU (SwiftShader): for tests and on request, never chosen by itself. */
export interface AdapterSummary {
  readonly description: string;
  readonly vendor: string;
  readonly software: boolean;
  readonly features: readonly string[];
  readonly limits: Readonly<Record<string, number>>;
}

/** Limits asked for as high as the adapter goes. */
const WANTED_LIMITS = [
  'maxStorageBuffersPerShaderStage',
  'maxStorageBufferBindingSize',
  'maxBufferSize',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupSizeY',
] as const;

/** What the kernels cannot do without. */
const NEEDED_LIMITS: Readonly<Partial<Record<(typeof WANTED_LIMITS)[number], number>>> = {
  maxStorageBuffersPerShaderStage: 8,
  maxComputeWorkgroupStorageSize: 16_384,
  maxComputeInvocationsPerWorkgroup: 256,
};

/** A feature that a kernel or the stage can use, by its name in WebGPU. */
export type WantedFeature = 'timestamp-query' | 'subgroups' | 'float32-filterable';

const WANTED_FEATURES: readonly WantedFeature[] = ['timestamp-query', 'subgroups'];

export function summariseAdapter(adapter: GPUAdapter): AdapterSummary {
  const { description, vendor, architecture, device } = adapter.info;
  const text = description || [vendor, architecture, device].filter(Boolean).join(' ') || 'unnamed adapter';
  const software =
    adapter.info.isFallbackAdapter || /swiftshader|llvmpipe|lavapipe|basic render/i.test(`${text} ${architecture}`);
  return {
    description: text,
    vendor,
    software,
    features: [...adapter.features].sort(),
    limits: Object.fromEntries(WANTED_LIMITS.map((name) => [name, adapter.limits[name]])),
  };
}

/** A device with what the kernels need, and what it runs on. */
export interface GpuDevice {
  readonly device: GPUDevice;
  readonly adapter: AdapterSummary;
}

/**
 * @param alsoWanted features beyond the engine's, taken where the adapter has them: for who draws with the same device
 * @returns the device and the summary of its adapter
 * @throws BackendError when there is no adapter or it lacks a needed limit, naming limit, found and needed
 */
export async function requestDevice(gpu: GPU, alsoWanted: readonly WantedFeature[] = []): Promise<GpuDevice> {
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) throw new BackendError('no WebGPU adapter was found on this machine; use --backend reference');
  const summary = summariseAdapter(adapter);
  for (const [name, needed] of Object.entries(NEEDED_LIMITS)) {
    const found = summary.limits[name];
    if (found < needed) {
      throw new BackendError(
        `the adapter ${summary.description} has ${name} ${found}, the kernels need ${needed}; use --backend reference`,
      );
    }
  }
  const device = await adapter.requestDevice({
    label: 'shoal',
    requiredFeatures: [...WANTED_FEATURES, ...alsoWanted].filter((feature) => adapter.features.has(feature)),
    requiredLimits: summary.limits,
  });
  return { device, adapter: summary };
}
