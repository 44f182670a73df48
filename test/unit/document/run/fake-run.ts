/** A run without an engine, and a clock that tests turn by hand. */
import { cyclesOf, validateScenario } from '../../../../engine/index.ts';
import type {
  AnswerTo,
  Checkpoint,
  CycleDiagnostics,
  Kept,
  Motion,
  Plane,
  ProbeCell,
  Question,
  RunEvent,
  RunObserver,
  Scenario,
  Snapshot,
} from '../../../../engine/index.ts';
import type { OpenRun, PageRun, PageRunInfo } from '../../../../app/document/run/page-run.ts';
import type { Clock } from '../../../../app/document/run/player.ts';

export function scenarioOf(cycles: number, changes: Readonly<Record<string, unknown>> = {}): Scenario {
  const raw = {
    version: 3,
    name: 'small',
    title: 'Small',
    grid: { nx: 4, ny: 4, dx: 10, dy: 10 },
    observations: [
      { name: 'gauges', variable: 'h', network: { kind: 'regular', stride: [2, 2] }, errorStandardDeviation: 0.1 },
    ],
    methods: [{ kind: 'free-run' }, { kind: 'letkf', inflation: 1.1 }],
    experiment: { cycles },
    ...changes,
  };
  return validateScenario(raw, 'test').scenario;
}

export function snapshotOf(cycle: number, cells = 16, device?: GPUDevice): Snapshot {
  const buffer = { size: 1024 } as GPUBuffer;
  const plane = (): Plane =>
    device
      ? { kind: 'device', buffer, byteOffset: 0, cells, lease: { over: false } }
      : { kind: 'host', values: new Float32Array(cells) };
  const state = () => ({ eta: plane(), hu: plane(), hv: plane() });
  return {
    cycle,
    timeSeconds: cycle + 1,
    truth: state(),
    methods: [{ method: 'letkf', analysis: state(), forecast: state(), spread: plane() }],
    observations: {
      x: new Float64Array(cycle < 0 ? 0 : 1),
      y: new Float64Array(cycle < 0 ? 0 : 1),
      variable: cycle < 0 ? [] : ['h'],
      network: new Uint16Array(cycle < 0 ? 0 : 1),
      values: new Float64Array(cycle < 0 ? 0 : 1),
      inverseErrorStd: new Float64Array(cycle < 0 ? 0 : 1),
      innovations: {},
    },
  };
}

export function diagnosticsOf(method: string, cycle: number): CycleDiagnostics {
  const scores = { forecast: { h: 1 }, analysis: { h: 0.5 } };
  return {
    method,
    cycle,
    timeSeconds: cycle + 1,
    rmse: scores,
    spread: scores,
    crps: { forecast: {}, analysis: {} },
    fairCrps: { forecast: {}, analysis: {} },
    rankHistogram: {},
    innovation: undefined,
    minimisation: undefined,
    milliseconds: { forecast: 1, analysis: 1 },
  };
}

export function infoOf(scenario: Scenario, device?: GPUDevice): PageRunInfo {
  const { nx, ny, dx, dy } = scenario.grid;
  return {
    scenario,
    basin: {
      nx,
      ny,
      dx,
      dy,
      periodicX: false,
      periodicY: false,
      bed: new Float32Array(nx * ny),
      gravity: 9.8,
      coriolis: 0,
    },
    methods: [
      { label: 'free-run', kind: 'free-run', members: 4 },
      { label: 'letkf', kind: 'letkf', members: 4 },
    ],
    cycles: scenario.experiment.cycles,
    backend: { name: 'reference', adapter: 'test', reason: 'a test' },
    device,
    memoryBytes: 1000,
    explanationBytes: 1000,
    checkpointBytes: 1000,
  };
}

export interface FakeRun extends PageRun {
  /** That it was opened with, or continues with. */
  readonly scenario: Scenario;
  readonly checkpointGiven: Checkpoint | undefined;
  readonly steps: number;
  readonly isDisposed: boolean;
  readonly keepsForecasts: boolean;
  readonly probed: readonly ProbeCell[];
  readonly released: readonly Kept[];
  ready(): void;
  /** Takes a checkpoint without being asked. */
  keep(cycle: number): void;
  say(event: RunEvent): void;
}

export function motionOf(cycle: number): Motion {
  return { cycle, surfaces: [{ method: undefined, frames: [{ share: 0.5, eta: snapshotOf(cycle).truth.eta }] }] };
}

/**
 * @param deviceOf the run of that number, where its planes are on a device
 * @param moves whether it reports how water moved
 * @returns an opener, and the runs that it opened, newest last
 */
export function fakeRuns(
  deviceOf: (run: number) => GPUDevice | undefined = () => undefined,
  moves = false,
): {
  readonly open: OpenRun;
  readonly opened: FakeRun[];
} {
  const opened: FakeRun[] = [];
  const open: OpenRun = (_backend, { scenario: begun, checkpoint }, { observers: given = [], writers = [] }) => {
    let scenario = begun;
    let next = checkpoint?.cycle ?? 0;
    let steps = 0;
    let isDisposed = false;
    const released: Kept[] = [];
    const device = deviceOf(opened.length);
    let probed: readonly ProbeCell[] = [];
    const observers = new Set<RunObserver>(given);
    const say = (event: RunEvent): void => {
      for (const observer of observers) observer.event(event);
    };
    const run: FakeRun = {
      get scenario() {
        return scenario;
      },
      keep(cycle) {
        const taken: Checkpoint = { cycle, arrays: {}, fingerprint: 'kept' };
        for (const writer of writers) if (writer.prepare === 'checkpoint') void writer.commit(taken);
      },
      checkpointGiven: checkpoint,
      get steps() {
        return steps;
      },
      get isDisposed() {
        return isDisposed;
      },
      get probed() {
        return probed;
      },
      placed: (info) => ({ ...info, backend: { ...info.backend, reason: 'a test' }, device }),
      ready: () => say({ type: 'ready', info: infoOf(scenario), snapshot: snapshotOf(next - 1, 16, device) }),
      say,
      step() {
        steps += 1;
        const cycle = next;
        next += 1;
        return Promise.resolve().then(() => {
          say({ type: 'diagnostics', diagnostics: diagnosticsOf('letkf', cycle) });
          say({
            type: 'states',
            snapshot: snapshotOf(cycle, 16, device),
            motion: moves ? motionOf(cycle) : undefined,
            readings: [],
          });
          if (next === cyclesOf(scenario)) say({ type: 'end', cycles: next });
        });
      },
      async play(until = cyclesOf(scenario)) {
        const goesOn = (): boolean => next < until && !isDisposed;
        while (goesOn()) await run.step();
        return 'complete';
      },
      stop: () => undefined,
      edit(changed) {
        scenario = changed;
        return Promise.resolve();
      },
      probe(cells) {
        probed = cells;
      },
      ask: <const Asked extends Question>({ kind }: Asked) =>
        kind === 'checkpoint'
          ? Promise.resolve({ cycle: next, arrays: {}, fingerprint: 'old' } as unknown as AnswerTo<Asked>)
          : Promise.reject(new Error('a run that computes nothing has no answers')),
      observe(observer) {
        observers.add(observer);
        return () => observers.delete(observer);
      },
      get keepsForecasts() {
        return [...observers].some(({ forecasts }) => forecasts);
      },
      release: (kept) => void released.push(kept),
      released,
      dispose() {
        isDisposed = true;
      },
    };
    opened.push(run);
    return run;
  };
  return { open, opened };
}

export interface FakeClock extends Clock {
  /** Ends the wait that is under way, and lets everything that follows from it happen. */
  tick(): Promise<void>;
  readonly waits: readonly number[];
}

export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

export function fakeClock(): FakeClock {
  const waiting: (() => void)[] = [];
  const waits: number[] = [];
  return {
    now: () => 0,
    wait(milliseconds) {
      waits.push(milliseconds);
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
    async tick() {
      for (const resolve of waiting.splice(0)) resolve();
      await settle();
    },
    waits,
  };
}
