/** WebGPU under Node: the `webgpu` package (Dawn), loaded when first asked for. */

let instance: Promise<GPU> | undefined;

/**
 * @returns the GPU object, one for the process (Dawn crashes when an instance is collected while its devices live), with
 *   WebGPU's constants made global as they are in a browser
 * @throws Error when the package has no build for this platform
 */
export function nodeGpu(): Promise<GPU> {
  instance ??= import('webgpu').then(({ create, globals }) => {
    Object.assign(globalThis, globals);
    return create([]);
  });
  return instance;
}
