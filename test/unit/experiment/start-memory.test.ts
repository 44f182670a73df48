/** A run starts without its ensemble on the host: members are drawn one by one into their field. */
import { setTimeout as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createReferenceBackend, NO_FILES, validateScenario } from '../../../engine/index.ts';
import type { Backend, Scenario } from '../../../engine/index.ts';
import { createMemberDraw, createModel, drawTruth, paceOf } from '../../../engine/experiment/draw.ts';
import { createStateDraw, drawStates } from '../../../engine/experiment/parts.ts';
import { createExperiment } from '../../../engine/experiment/index.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const [NX, NY, MEMBERS] = [64, 48, 24];
const STATE = 3 * NX * NY;

function scenarioOf(changes: object = {}): Scenario {
  const raw = {
    version: 3,
    name: 'start',
    seed: 7,
    grid: { nx: NX, ny: NY },
    truth: { initial: { kind: 'drops', count: 3 }, spinup: 0.1 },
    background: {
      initial: { kind: 'drops', count: 3 },
      perturbation: { standardDeviation: 0.02, length: 4, balance: 'none' },
      members: MEMBERS,
    },
    methods: [{ kind: 'free-run' }, { kind: '3dvar' }],
    experiment: { cycles: 1, window: 0.1 },
    ...changes,
  };
  return validateScenario(raw, 'start').scenario;
}

/** Bytes of array buffers that are in use. */
function bytesNow(): number {
  collect();
  collect();
  return process.memoryUsage().arrayBuffers;
}

/** A reference backend that calls for each field that it allocates and each array that is written. */
function watched(onAllocate: (elements: number) => void, onWrite: (label: string, elements: number) => void): Backend {
  const backend = createReferenceBackend();
  const overridden = new Map<PropertyKey, unknown>(
    Object.entries({
      allocate: (...what: Parameters<Backend['allocate']>) => {
        onAllocate(what[2]);
        return backend.allocate(...what);
      },
      write: (...what: Parameters<Backend['write']>) => {
        backend.write(...what);
        onWrite(what[0].label, what[1].length);
      },
    }),
  );
  return new Proxy(backend, {
    get(target, name) {
      const value: unknown = overridden.get(name) ?? Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe('the start of a run', () => {
  it('writes one member at a time, and no larger array', async () => {
    const written: number[] = [];
    const members: number[] = [];
    const backend = watched(
      () => undefined,
      (label, elements) => {
        written.push(elements);
        if (label === 'background') members.push(elements);
      },
    );
    const experiment = await createExperiment(backend, scenarioOf(), { files: NO_FILES, listener: () => undefined });
    expect(Math.max(...written)).toBe(STATE);
    expect(members).toEqual(Array.from({ length: MEMBERS }, () => STATE));
    experiment.dispose();
  });

  it('holds no more than a few states beside its fields while it draws', async () => {
    const scenario = scenarioOf();
    const model = createModel(scenario, NO_FILES);
    let fields = 0;
    let most = 0;
    collect();
    // Buffers are freed a while after they are collected.
    await turn(20);
    const before = bytesNow();
    const backend = watched(
      (elements) => (fields += 8 * elements),
      () => (most = Math.max(most, bytesNow() - before - fields)),
    );
    const { ensemble } = await drawStates(backend, scenario, model, { draw: createStateDraw(scenario, NO_FILES) });
    // The truth, and of one member what it began with, its perturbation, it, and it as the model takes it; with what is not
    // freed yet of those that the ensemble of 24 would be far above.
    expect(most / (8 * STATE)).toBeLessThan(MEMBERS / 3);
    expect(most / (8 * STATE)).toBeGreaterThan(1);
    ensemble.dispose();
  });

  it.each([
    ['drops', {}],
    ['a background that starts from the truth', { background: { initial: { kind: 'truth' }, members: MEMBERS } }],
    ['a sea at rest on which drops fall', { truth: { initial: { kind: 'rest' }, forcing: { kind: 'drops' } } }],
  ])('gives the members as each is drawn, and the pace of the fastest of all: %s', async (_, changes) => {
    const scenario = scenarioOf(changes);
    const model = createModel(scenario, NO_FILES);
    const backend = createReferenceBackend();
    const { truth, ensemble, pace } = await drawStates(backend, scenario, model, {
      draw: createStateDraw(scenario, NO_FILES),
    });
    const draw = createMemberDraw(scenario, model, NO_FILES);
    // In another order than that of the run: each has streams of its own.
    const members = Array.from({ length: MEMBERS }, (_none, index) => draw(MEMBERS - 1 - index)).reverse();
    const whole = await backend.read(ensemble);
    for (const [member, fields] of members.entries()) {
      expect(whole.subarray(member * STATE, (member + 1) * STATE)).toEqual(model.toState(fields));
    }
    const drawnTruth = drawTruth(scenario, model, NO_FILES);
    expect(truth).toEqual(model.toState(drawnTruth));
    expect(pace).toBe(Math.max(...[drawnTruth, ...members].map((fields) => paceOf(scenario, model, fields))));
  });

  it('frees what was drawn where a member cannot be', async () => {
    const scenario = scenarioOf();
    const model = createModel(scenario, NO_FILES);
    const freed: string[] = [];
    const backend = createReferenceBackend();
    const allocate = backend.allocate.bind(backend);
    backend.allocate = (label, kind, length) => {
      const field = allocate(label, kind, length);
      return Object.assign(field, { dispose: () => freed.push(label) });
    };
    let writes = 0;
    backend.write = () => {
      writes += 1;
      if (writes === 3) throw new Error('the device is gone');
    };
    await expect(drawStates(backend, scenario, model, { draw: createStateDraw(scenario, NO_FILES) })).rejects.toThrow(
      'the device is gone',
    );
    expect(freed).toEqual(['background']);
  });
});
