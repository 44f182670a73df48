/** What a backend on its machine can do at most, measured in the process that runs the kernels. */
export interface Ceilings {
  /** Bytes read and written by a copy larger than most caches, 10⁹ a second. */
  readonly copyGigabytesPerSecond: number;
  /** Floating-point operations, 10⁹ a second; a multiply-add is two. */
  readonly fmaGigaflopsPerSecond: number;
  /** What the clock says of a run that does next to nothing: no kernel is seen to be quicker. */
  readonly dispatchMicroseconds: number;
  /** How kernels are timed: by timestamps on the device, or by the wall clock of the host. */
  readonly clock: 'device' | 'wall';
  /** The step in which that clock continues. */
  readonly tickMicroseconds: number;
}
