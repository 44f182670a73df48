/** WebGPU under Node: the `webgpu` package (Dawn), loaded when first asked for. */

import { pollPatiently } from './patient-polling.ts';

let instance: Promise<GPU> | undefined;

/**
 * What Dawn does for pages and not for us. It rounds timestamps to 65 µs, longer than most kernels take, so that no page
 * learns a secret from them. And it clears workgroup memory before every workgroup: on SwiftShader that takes most of the
 * time of kernels with large tiles (seconds to compile, milliseconds a workgroup), and none of the kernels reads what it has
 * not written.
 */
function dawnFeatures(software: boolean): string[] {
  return [
    'disable-dawn-features=timestamp_quantization',
    ...(software ? ['enable-dawn-features=disable_workgroup_init'] : []),
  ];
}

/**
 * @returns the GPU object, one for the process (Dawn crashes when an instance is collected while its devices live), with
 *   WebGPU's constants made global as they are in a browser
 * @throws Error when the package has no build for this platform
 */
export function nodeGpu(): Promise<GPU> {
  instance ??= import('webgpu').then(({ create, globals }) => {
    Object.assign(globalThis, globals);
    const software = process.env['VK_ICD_FILENAMES']?.includes('swiftshader') ?? false;
    if (software) pollPatiently();
    return create(dawnFeatures(software));
  });
  return instance;
}
