// Status and clock of a stepping operator, as laid out in stepping.ts. Bindings 0 to 3 of every kernel of a step.
//
// Step s reads slot s mod 3, writes the next and clears the one after: what one invocation reads, none writes.
// A companion, the last member of those that go together, has a status and a clock of its own, behind those of the others.

struct Fault {
  found: bool,
  kind: u32,
  variable: u32,
  value: f32,
}

@group(0) @binding(0) var<uniform> stepping: Stepping;
@group(0) @binding(1) var<uniform> slot: Slot;
@group(0) @binding(2) var<storage, read_write> status: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> clock: array<f32>;

const NONE = 0xffffffffu;
const BAD_STEP = 0u;
const BAD_PLACE = 1u;
const KIND = 2u;
const VARIABLE = 3u;
const STEPS = 4u;
const RATE = 7u;
const REMAINING = 10u;
const UNTIL = 13u;
const LONGEST = 0u;
const VALUE = 1u;
const TIME_STEP = 2u;
const SLOTS = 3u;
/// As in stepping.ts.
const TICKS = 64u;

const STATUS_WORDS = 16u;
const CLOCK_REALS = 4u;

const NOT_FINITE = 0u;
const NEGATIVE_DEPTH = 1u;
const COURANT = 2u;
const STEP_TOO_SHORT = 3u;
const NO_FAULT = Fault(false, 0u, 0u, 0.0);

/// Which of the statuses and clocks this invocation has: 0, or 1 if it belongs to a companion.
var<private> statusIndex = 0u;

/// To be called before all else if there may be a companion.
fn belongTo(member: u32) {
  statusIndex = select(0u, 1u, member >= stepping.together);
}

fn word(index: u32) -> u32 {
  return statusIndex * STATUS_WORDS + index;
}

fn real(index: u32) -> u32 {
  return statusIndex * CLOCK_REALS + index;
}

/// Whether this workgroup is the first of those that look at its status.
fn isFirst(group: vec3u) -> bool {
  return all(group.xy == vec2u(0u)) && (group.z == 0u || group.z == stepping.together);
}

/// Whether a step before this one went wrong.
fn isStopped() -> bool {
  return atomicLoad(&status[word(BAD_STEP)]) < atomicLoad(&status[word(STEPS + slot.index)]);
}

/// Ticks of this step with "auto": `nextTicks` of stepping.ts; 0 when no time remains before steps end for now.
fn stepTicks() -> u32 {
  let remaining = atomicLoad(&status[word(REMAINING + slot.index)]);
  if (remaining <= atomicLoad(&status[word(UNTIL)])) {
    return 0u;
  }
  let rate = bitcast<f32>(atomicLoad(&status[word(RATE + slot.index)]));
  var ticks = TICKS;
  var duration = clock[real(LONGEST)];
  while (ticks > 1u && (!(isFinite(rate) && rate * duration <= stepping.courant) || remaining % ticks != 0u)) {
    ticks /= 2u;
    duration *= 0.5;
  }
  return ticks;
}

/// Length of this step: 0 after a step that went wrong, and when no time remains.
fn stepSeconds() -> f32 {
  if (isStopped()) {
    return 0.0;
  }
  if (stepping.automatic == 0u) {
    return stepping.timeStep;
  }
  return f32(stepTicks()) * (clock[real(LONGEST)] / f32(TICKS));
}

/// Hands status and clock on to the next step. By one invocation of a step's last kernel.
fn passOn(seconds: f32) {
  let next = (slot.index + 1u) % SLOTS;
  let steps = atomicLoad(&status[word(STEPS + slot.index)]);
  atomicStore(&status[word(STEPS + next)], select(steps, steps + 1u, seconds > 0.0));
  atomicStore(&status[word(RATE + (slot.index + 2u) % SLOTS)], 0u);
  if (stepping.automatic != 0u) {
    let ticks = select(stepTicks(), 0u, seconds == 0.0);
    atomicStore(&status[word(REMAINING + next)], atomicLoad(&status[word(REMAINING + slot.index)]) - ticks);
    // Without a step the rate is handed on: the next run may continue from here.
    if (ticks == 0u) {
      atomicMax(&status[word(RATE + next)], atomicLoad(&status[word(RATE + slot.index)]));
    }
  }
  if (seconds > 0.0) {
    clock[real(TIME_STEP)] = seconds;
  }
}

/// `place` is member · cells + cell.
fn recordFault(place: u32) {
  atomicMin(&status[word(BAD_STEP)], atomicLoad(&status[word(STEPS + slot.index)]));
  atomicMin(&status[word(BAD_PLACE)], place);
}

/// Raises the next step's largest wave rate to at least `rate`, 1/s. Of non-negative floats the largest bits are those of the
/// largest; a look before the atomic spares it nearly always.
fn raiseRate(rate: f32) {
  let bits = bitcast<u32>(rate);
  let next = word(RATE + (slot.index + 1u) % SLOTS);
  if (bits > atomicLoad(&status[next])) {
    atomicMax(&status[next], bits);
  }
}
