/** Water for the stage to draw: two cycles of a small twin experiment on the device that draws them. */
import { createDevicePlanes, openRunHere, validateScenario } from '../../../../engine/index.ts';
import type {
  BasinInfo,
  CycleStates,
  Motion,
  ScenarioInput,
  Snapshot,
  WebGpuBackendHandle,
} from '../../../../engine/index.ts';

/** Cells from wall to wall of the basin, whatever its grid: waves look alike on all of them. */
const SIDE_METRES = 64;
const COURANT = 0.65;
const DEPTH_METRES = 1;
const GRAVITY = 9.8;
const STEPS = 24;
/** Few, and methods that cost little on any grid: what is timed is how it is drawn. */
const MEMBERS = 2;
const ITERATIONS = 8;

export interface Water {
  readonly basin: BasinInfo;
  readonly methods: readonly { readonly label: string; readonly members: number; readonly isFreeRun: boolean }[];
  readonly from: Snapshot;
  readonly to: Snapshot;
  /** From the one to the other; frames if there was room for them. */
  readonly motion: Motion;
  dispose(): void;
}

function scenarioOf(cells: number): ScenarioInput {
  const dx = SIDE_METRES / cells;
  const timeStep = (COURANT * dx) / Math.sqrt(GRAVITY * DEPTH_METRES);
  const drops = { kind: 'drops', count: 5, amplitude: [0.05, 0.15], width: SIDE_METRES / 8 } as const;
  const stride = Math.max(1, cells >> 3);
  return {
    version: 3,
    name: 'benchmark-stage',
    seed: 3,
    grid: { nx: cells, ny: cells, dx, dy: dx },
    model: {
      scheme: 'richtmyer',
      timeStep,
      boundary: { x: 'wall', y: 'wall' },
      bathymetry: { kind: 'flat', depth: DEPTH_METRES },
    },
    truth: { initial: { ...drops, amplitude: [...drops.amplitude] } },
    background: { initial: { ...drops, amplitude: [...drops.amplitude] }, members: MEMBERS },
    observations: [
      {
        name: 'gauges',
        network: { kind: 'regular', stride: [stride, stride], offset: [stride >> 1, stride >> 1] },
        errorStandardDeviation: 0.005,
      },
    ],
    methods: [
      { kind: 'free-run' },
      { kind: 'nudging' },
      {
        kind: '3dvar',
        covariance: { kind: 'recursive-filter', length: cells / 32, standardDeviation: { h: 0.05 } },
        minimisation: { tolerance: 1e-2, maxIterations: ITERATIONS },
      },
    ],
    experiment: { cycles: 2, window: STEPS * timeStep },
  };
}

/** Runs the experiment; what it leaves to be drawn stays on the device. @throws what the run fails with */
export async function makeWater(backend: WebGpuBackendHandle, cells: number): Promise<Water> {
  const { scenario } = validateScenario(scenarioOf(cells), 'benchmark-stage');
  const planes = createDevicePlanes(backend);
  const states: CycleStates[] = [];
  const run = openRunHere(
    () => ({ backend, planes }),
    { scenario, files: {}, source: scenario.name, misfit: 'refuse' },
    { observers: [{ states: true, event: (event) => event.type === 'states' && states.push(event) }] },
  );
  const { basin, methods } = await run.ready;
  await run.play();
  const [from, to] = states;
  return {
    basin,
    methods: methods.map(({ label, kind, members }) => ({ label, members, isFreeRun: kind === 'free-run' })),
    from: from.snapshot,
    to: to.snapshot,
    motion: to.motion ?? { cycle: to.snapshot.cycle, surfaces: [] },
    dispose() {
      for (const { snapshot, motion } of states) {
        run.release(snapshot);
        if (motion) run.release(motion);
      }
      run.dispose();
      planes.close();
    },
  };
}
