/**
 * The state that features keep of a page or of a run. A feature's state is made when it is first asked for, so that what lies
 * beneath the features need not know them: `xrayOf(run)` is `run.use(createXrayOf)`.
 */

export interface Slots<Owner> {
  /** @returns what `create` makes of the owner: the same object each time */
  readonly use: <Made>(create: (owner: Owner) => Made) => Made;
}

/** What is used instead of the result of a function. */
export type Given<Owner> = readonly [create: (owner: Owner) => unknown, made: unknown];

/** @returns a pair that gives `made` in place of what `create` makes */
export function given<Owner, Made>(create: (owner: Owner) => Made, made: NoInfer<Made>): Given<Owner> {
  return [create, made];
}

interface Disposable {
  dispose(): void;
}

function isDisposable(made: unknown): made is Disposable {
  return typeof made === 'object' && made !== null && 'dispose' in made && typeof made.dispose === 'function';
}

/** @param owner what the states are of */
export function createSlots<Owner>(owner: () => Owner, instead: Iterable<Given<Owner>> = []) {
  const slots = new Map<unknown, unknown>(instead);
  return {
    use: <Made>(create: (owner: Owner) => Made): Made => {
      if (!slots.has(create)) slots.set(create, create(owner()));
      return slots.get(create) as Made;
    },
    /** Disposes of the states that can be, the latest first. */
    disposeSlots: (): void => {
      for (const made of [...slots.values()].reverse()) if (isDisposable(made)) made.dispose();
    },
  };
}
