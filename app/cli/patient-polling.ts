/**
 * While results are awaited, Dawn asks the device under Node whether they have come, in every turn of the event loop: a thread
 * that never rests. Beside a GPU nobody misses it; SwiftShader computes on the same processor, and loses up to a core to it.
 */

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
