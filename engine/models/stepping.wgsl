// Status and clock of a stepping operator, as laid out in stepping.ts. Bindings 0 to 3 of every kernel of a step.
//
// Step s reads slot s mod 3, writes the next and clears the one after: what one invocation reads, none writes.

struct Stepping {
  /// Seconds; not used with "auto".
  timeStep: f32,
  courant: f32,
  automatic: u32,
}

struct Fault {
  found: bool,
  kind: u32,
  variable: u32,
  value: f32,
}

@group(0) @binding(0) var<uniform> stepping: Stepping;
/// x: the step's slot.
@group(0) @binding(1) var<uniform> slot: vec4u;
@group(0) @binding(2) var<storage, read_write> status: array<atomic<u32>, 12>;
@group(0) @binding(3) var<storage, read_write> clock: array<f32, 8>;

const NONE = 0xffffffffu;
const BAD_STEP = 0u;
const BAD_PLACE = 1u;
const KIND = 2u;
const VARIABLE = 3u;
const STEPS = 4u;
const RATE = 7u;
const VALUE = 3u;
const TIME_STEP = 4u;
const SLOTS = 3u;

const NOT_FINITE = 0u;
const NEGATIVE_DEPTH = 1u;
const COURANT = 2u;
const NO_FAULT = Fault(false, 0u, 0u, 0.0);

/// By the bits: a compiler may assume that comparisons see no NaN.
fn isFinite(value: f32) -> bool {
  return (bitcast<u32>(value) & 0x7f800000u) != 0x7f800000u;
}

/// Length of this step: 0 after a step that went wrong, and when no time remains.
fn stepSeconds() -> f32 {
  if (atomicLoad(&status[BAD_STEP]) < atomicLoad(&status[STEPS + slot.x])) {
    return 0.0;
  }
  if (stepping.automatic == 0u) {
    return stepping.timeStep;
  }
  let remaining = clock[slot.x];
  let rate = bitcast<f32>(atomicLoad(&status[RATE + slot.x]));
  let longest = select(remaining, stepping.courant / rate, rate > 0.0 && isFinite(rate));
  if (remaining <= longest) {
    return remaining;
  }
  return select(longest, 0.5 * remaining, remaining < 2.0 * longest);
}

/// Hands status and clock on to the next step. By one invocation of a step's last kernel.
fn passOn(seconds: f32) {
  let next = (slot.x + 1u) % SLOTS;
  let steps = atomicLoad(&status[STEPS + slot.x]);
  atomicStore(&status[STEPS + next], select(steps, steps + 1u, seconds > 0.0));
  atomicStore(&status[RATE + (slot.x + 2u) % SLOTS], 0u);
  clock[next] = clock[slot.x] - seconds;
  if (seconds > 0.0) {
    clock[TIME_STEP] = seconds;
  }
}

/// `place` is member · cells + cell.
fn recordFault(place: u32) {
  atomicMin(&status[BAD_STEP], atomicLoad(&status[STEPS + slot.x]));
  atomicMin(&status[BAD_PLACE], place);
}

/// Raises the next step's largest wave rate to at least `rate`, 1/s. Of non-negative floats the largest bits are those of the
/// largest; a look before the atomic spares it nearly always.
fn raiseRate(rate: f32) {
  let bits = bitcast<u32>(rate);
  let next = RATE + (slot.x + 1u) % SLOTS;
  if (bits > atomicLoad(&status[next])) {
    atomicMax(&status[next], bits);
  }
}
