/**
 * Names of the web platform that the library's types mention, as interfaces without members: they add nothing where the
 * compiler knows the platform (`lib: ["DOM"]`, or the types of Node or WebGPU), and elsewhere the types compile without it.
 */
interface AbortSignal {}
interface GPU {}
interface GPUAdapter {}
interface GPUBindGroupLayout {}
interface GPUBuffer {}
interface GPUCommandEncoder {}
interface GPUComputePipeline {}
interface GPUDevice {}
interface GPUSupportedLimits {}
interface GPUTexture {}
interface URL {}

declare namespace WebAssembly {
  interface Instance {}
  interface Memory {}
}
