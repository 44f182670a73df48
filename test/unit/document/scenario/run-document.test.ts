/** The scenario of a run as data: whatever is done to it in whatever order, some things always hold. */
import { signal } from '@preact/signals';
import { array, assert, constant, constantFrom, double, integer, oneof, property, record } from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateScenario } from '../../../../engine/index.ts';
import type { Intervention, ScenarioBranch } from '../../../../engine/index.ts';
import { settingsBefore, withLabels } from '../../../../app/document/scenario/run-document.ts';
import { isNightly } from '../../../setup/nightly.ts';
import type { Raw } from '../../../../app/document/scenario/run-document.ts';
import { createRunEdits } from '../../../../app/document/scenario/run-edits.ts';
import { createScenarioState } from '../../../../app/document/scenario/scenario-state.ts';

const BASE = {
  version: 3,
  name: 'small',
  seed: 3,
  grid: { nx: 16, ny: 16, dx: 10, dy: 10 },
  observations: [
    { name: 'gauges', variable: 'h', network: { kind: 'regular', stride: [2, 2] }, errorStandardDeviation: 0.1 },
  ],
  methods: [{ kind: 'free-run' }, { kind: 'letkf', inflation: 1.1 }],
  experiment: { cycles: 60 },
};
const FILE = { name: 'small.json', kind: 'file', files: {} } as const;

/** What takes effect at once, at the next cycle, and with a restart. */
const setting = oneof(
  record({ path: constant('title'), value: constantFrom('One', 'Two') }),
  record({ path: constant('methods[1].inflation'), value: constantFrom(1.2, 1.3, 1.4) }),
  record({ path: constant('experiment.cycles'), value: constantFrom(60, 70) }),
  record({ path: constant('seed'), value: constantFrom(3, 4) }),
);
const command = oneof(
  record({ do: constantFrom('set' as const, 'change' as const), setting }),
  record({ do: constant('play' as const), cycles: integer({ min: 1, max: 4 }) }),
  record({
    do: constantFrom(
      ...(['end', 'undo', 'redo', 'revert', 'apply', 'drop', 'fork', 'restart', 'save', 'reopen'] as const),
    ),
  }),
  record({ do: constant('back' as const), share: double({ min: 0, max: 1, noNaN: true }) }),
);
type Command = typeof command extends Arbitrary<infer Of> ? Of : never;

/** A document with what the controller of a run does to it, but no run. */
function createModel() {
  const scenario = createScenarioState();
  const newestCycle = signal(-1);
  const course = { newestCycle, info: signal(undefined), divergences: signal([]) };
  const edits = createRunEdits(scenario, course as never);
  const next = (): number => newestCycle.value + 1;

  function begin(): void {
    const raw = scenario.draft.value;
    const beginning = edits.draftToBegin(raw);
    scenario.markApplied(raw);
    edits.beginRun(beginning.raw);
    newestCycle.value = -1;
  }
  function apply(): void {
    if (scenario.pendingEffect.value === 'restart') {
      begin();
      return;
    }
    if (scenario.pendingEffect.value === 'next-cycle') edits.recordEdits(scenario.pendingChanges.value, next());
    scenario.markApplied();
  }
  function open(raw: unknown): void {
    newestCycle.value = -1;
    scenario.openScenario({ raw }, FILE);
  }
  function execute(step: Command): void {
    switch (step.do) {
      case 'set':
        scenario.setDraftValue(step.setting.path, step.setting.value);
        break;
      case 'change':
        scenario.setDraftValue(step.setting.path, step.setting.value);
        apply();
        break;
      case 'end':
        scenario.endEdit();
        break;
      case 'undo':
        scenario.undo();
        break;
      case 'redo':
        scenario.redo();
        break;
      case 'revert':
        scenario.revertDraft();
        break;
      case 'play':
        for (let cycle = 0; cycle < step.cycles; cycle++) {
          newestCycle.value += 1;
          edits.followInterventions(newestCycle.value);
        }
        break;
      case 'apply':
        apply();
        break;
      case 'drop': {
        const drop: Intervention = {
          kind: 'drop',
          cycle: next(),
          x: 4,
          y: 5,
          radius: 20,
          height: 0.2,
          volume: 'displaced',
          seenBy: 'truth',
        };
        const before = edits.interventions.value.filter(({ cycle }) => cycle <= next());
        const after = edits.interventions.value.filter(({ cycle }) => cycle > next());
        edits.recordInterventions([...before, drop, ...after]);
        break;
      }
      case 'fork': {
        const branches = edits.branches.value;
        if (branches.length === 2) break;
        const branch = { cycle: next(), interventions: [] } as unknown as ScenarioBranch;
        edits.recordLines(edits.interventions.value, [...branches, branch]);
        break;
      }
      case 'restart':
        edits.followAnew();
        newestCycle.value = -1;
        break;
      case 'save':
        scenario.markSaved('small.json', edits.fileNow());
        break;
      case 'reopen':
        open(edits.fileRaw.value);
        break;
      case 'back': {
        const cycle = Math.floor(step.share * next());
        edits.dropEditsFrom(cycle);
        newestCycle.value = cycle - 1;
        break;
      }
      default:
        step satisfies never;
    }
  }
  open(BASE);
  return { scenario, edits, newestCycle, execute, open };
}

/** After any sequence of commands, of a model of its own. */
function always(claim: (model: ReturnType<typeof createModel>) => void): void {
  assert(
    property(array(command, { maxLength: 25 }), (commands) => {
      const model = createModel();
      for (const each of commands) model.execute(each);
      claim(model);
    }),
    { numRuns: isNightly ? 1000 : 150 },
  );
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));
const ofSettings = (raw: unknown): unknown => plain(withLabels(raw as Raw, {}));

describe('the scenario of a run, after any sequence of commands', () => {
  it('is data: it is the same when it was written and read', () => {
    always(({ scenario }) => expect(plain(scenario.document.value)).toEqual(scenario.document.value));
  });

  it('is the same after undo and redo', () => {
    always(({ scenario }) => {
      const before = scenario.document.value;
      if (scenario.undoTitle.value === undefined) return;
      scenario.undo();
      scenario.redo();
      const { past, ...rest } = scenario.document.value;
      const { past: pastBefore, ...restBefore } = before;
      // Redoing ends a sequence of edits.
      expect(rest).toEqual(restBefore);
      expect(past.map(({ title }) => title)).toEqual(pastBefore.map(({ title }) => title));
    });
  });

  it('has the draft that it was opened with when all is undone', () => {
    always(({ scenario }) => {
      while (scenario.undoTitle.value !== undefined) scenario.undo();
      const first = scenario.draft.value;
      while (scenario.redoTitle.value !== undefined) scenario.redo();
      while (scenario.undoTitle.value !== undefined) scenario.undo();
      expect(scenario.draft.value).toEqual(first);
    });
  });

  it('applies the settings that the run has come to', () => {
    always(({ scenario, newestCycle }) => {
      const document = scenario.document.value;
      const [now, soon] = [1, 2].map((ahead) => ofSettings(settingsBefore(document, newestCycle.value + ahead)));
      const applied = ofSettings(document.applied);
      expect([now, soon]).toContainEqual(applied);
    });
  });

  it('can be saved, is unchanged then, and opens with the same settings, interventions and branches', () => {
    always(({ scenario, edits, open }) => {
      const version = edits.fileNow();
      expect(version.scenario).toBeDefined();
      scenario.markSaved('other.json', version);
      expect([edits.unsaved.value, scenario.origin.value.name]).toEqual([false, 'other.json']);
      const written = plain(version.raw);
      open(written);
      expect(edits.unsaved.value).toBe(false);
      expect(plain(edits.fileRaw.value)).toEqual(written);
      expect(edits.runScenario.value).toEqual(validateScenario(written, 'small').scenario);
    });
  });

  it('keeps drops and branches in a restart', () => {
    always(({ scenario, edits, execute }) => {
      const drops = edits.interventions.value.filter(({ kind }) => kind === 'drop');
      const branches = edits.branches.value;
      const seed = scenario.draftScenario.value?.seed === 3 ? 4 : 3;
      scenario.setDraftValue('seed', seed);
      execute({ do: 'apply' });
      if (scenario.appliedScenario.value?.seed !== seed) throw new Error('not applied');
      expect(edits.interventions.value.filter(({ kind }) => kind === 'drop')).toHaveLength(drops.length);
      expect(edits.branches.value).toEqual(branches);
      expect(scenario.pendingEffect.value).toBe('none');
    });
  });

  it('has nothing later than the cycle that it went back to', () => {
    always(({ edits, execute, newestCycle }) => {
      const before = edits.interventions.value;
      execute({ do: 'back', share: 0.5 });
      const cycle = newestCycle.value + 1;
      expect(edits.interventions.value).toEqual(before.filter((each) => each.cycle < cycle));
    });
  });
});
