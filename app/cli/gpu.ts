/** WebGPU under Node: the `webgpu` package (Dawn), loaded when first asked for. */

/** Turns without a rest when a wait begins, about a tenth of a millisecond: what is ready at once arrives at once. */
const EAGER_TURNS = 10;
/** Then a rest of so long before each, milliseconds: the shortest that Node knows. */
const REST = 1;

/** Dawn's callbacks are functions of the addon: without a name, and without arguments given. */
function isOfAddon(callback: (...given: never[]) => void, given: readonly unknown[]): boolean {
  return (
    callback.name === '' && given.length === 0 && Function.prototype.toString.call(callback).endsWith('[native code] }')
  );
}

/**
 * While results are awaited, Dawn asks the device under Node whether they have come, in every turn of the event loop: a thread
 * that never rests. Beside a GPU nobody misses it; SwiftShader computes on the same processor, and loses up to a core to it.
 *
 * Lets Dawn's polling rest between turns. Dawn looks `setImmediate` up again in each turn, by the global object, so a stand-in
 * there is what it calls; the callbacks of all others are passed on to Node's own.
 *
 * @param scope the global object
 * @returns what puts Node's own back
 */
export function pollPatiently(scope: Pick<typeof globalThis, 'setImmediate'> = globalThis): () => void {
  const own = scope.setImmediate;
  const { setTimeout } = globalThis;
  let turns = 0;
  let inTurn = false;

  function turnOf(callback: () => void): () => void {
    return () => {
      inTurn = true;
      try {
        callback();
      } finally {
        inTurn = false;
      }
    };
  }
  const standIn = (callback: (...given: unknown[]) => void, ...given: unknown[]): unknown => {
    if (!isOfAddon(callback, given)) return own(callback, ...given);
    // A turn that asks for the next continues with the same wait.
    turns = inTurn ? turns + 1 : 0;
    return turns < EAGER_TURNS ? own(turnOf(callback)) : setTimeout(turnOf(callback), REST);
  };
  // With what `promisify` finds on it.
  Object.defineProperties(standIn, Object.getOwnPropertyDescriptors(own));
  scope.setImmediate = standIn as typeof setImmediate;
  return () => {
    scope.setImmediate = own;
  };
}

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
