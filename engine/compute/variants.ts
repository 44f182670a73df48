/**
 * Variants of a kernel: ways to compute the same numbers, bit by bit, of which one is quickest on one device and at one size and
 * another elsewhere. A room describes what it offers as plain data; a backend hands its operators the one that was chosen, or the
 * first if nothing was.
 */

/** What a device allows, for a room to offer what can run and to put first what should run well. */
export interface DeviceTraits {
  /** Threads of the processor that compute; 1 where a device does. */
  readonly threads: number;
  /** Invocations that a workgroup may have, and bytes of its memory; 0 on a processor. */
  readonly workgroupInvocations: number;
  readonly workgroupBytes: number;
  readonly subgroups: boolean;
}

/** What a room offers of one kernel on one backend. */
export interface KernelVariants<Parameters, Variant> {
  /** `operator.role`, the same in every version; no other kernel of the backend has it. */
  readonly kernel: string;
  /** Parameters of one class share a choice. */
  readonly sizeClass: (parameters: Parameters) => string;
  /**
   * By name, in the order in which a model of the device expects them to be quick, which the tuner tries them in. The first is
   * taken if nothing was measured, and runs everywhere. All give the same bits.
   */
  readonly offered: (parameters: Parameters, traits: DeviceTraits) => Readonly<Record<string, Variant>>;
}

/** The names of variants by kernel and size class. */
export interface KernelChoices {
  of(kernel: string, sizeClass: string): string | undefined;
  /** For what is prepared from now on. @param variant undefined: none, so that the first is taken */
  choose(kernel: string, sizeClass: string, variant: string | undefined): void;
  /** As they are now: what is prepared with a copy does not see what is chosen meanwhile. */
  copy(): KernelChoices;
}

/** What a backend that has variants knows of them. */
export interface BackendTuning {
  /** The device as records name it. */
  readonly device: string;
  /** Whether it is simulated by the processor: it compiles kernels for longer than all of them would gain by being tuned. */
  readonly isSoftware: boolean;
  readonly traits: DeviceTraits;
  readonly choices: KernelChoices;
}

function keyOf(kernel: string, sizeClass: string): string {
  return `${kernel} ${sizeClass}`;
}

export function createKernelChoices(before: ReadonlyMap<string, string> = new Map()): KernelChoices {
  const chosen = new Map(before);
  return {
    of: (kernel, sizeClass) => chosen.get(keyOf(kernel, sizeClass)),
    choose(kernel, sizeClass, variant) {
      if (variant === undefined) chosen.delete(keyOf(kernel, sizeClass));
      else chosen.set(keyOf(kernel, sizeClass), variant);
    },
    copy: () => createKernelChoices(chosen),
  };
}

/** @returns the variant that was chosen, or the first if none was or it is not offered for these parameters */
export function chosenVariant<Parameters, Variant>(
  { choices, traits }: BackendTuning,
  { kernel, sizeClass, offered }: KernelVariants<Parameters, Variant>,
  parameters: Parameters,
): Variant {
  const variants = offered(parameters, traits);
  const name = choices.of(kernel, sizeClass(parameters));
  return name !== undefined && Object.hasOwn(variants, name) ? variants[name] : Object.values(variants)[0];
}

/** A class of sizes: each count to the nearest power of two, `128x128x64`. */
export function sizeClassOf(...counts: readonly number[]): string {
  return counts.map((count) => 2 ** Math.round(Math.log2(Math.max(1, count)))).join('x');
}
