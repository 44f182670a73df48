/** The library's door: whatever comes in, the answer is a named error that says what was found and what is allowed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ArgumentError,
  choice,
  count,
  createTwinExperiment,
  defineMethod,
  explainWith,
  methodSchema,
  openBackend,
  quantity,
  readScenario,
  registerMethod,
  toggle,
  type Backend,
  type TwinExperiment,
} from '../../../app/library/index.ts';
import { errorOf } from '../../../engine/index.ts';

const GARBAGE: readonly unknown[] = [
  undefined,
  null,
  NaN,
  -1,
  0.5,
  1e300,
  '',
  'nope',
  true,
  [],
  {},
  [1],
  () => 1,
  Symbol('s'),
  2n,
];

let backend: Backend;
let experiment: TwinExperiment;
const scenario = readScenario({
  version: 3,
  name: 'door',
  grid: { nx: 16, ny: 16 },
  model: { timeStep: 0.1 },
  methods: [{ kind: 'free-run' }],
  experiment: { cycles: 1, window: 0.5 },
});

beforeAll(async () => {
  backend = await openBackend({ name: 'reference' });
  experiment = await createTwinExperiment(scenario, { backend });
});
afterAll(() => {
  experiment.dispose();
  backend.dispose();
});

type Call = (value: never) => unknown;
/** For the type of what it is called with. */
const given = (call: Call): Call => call;

const WORDS = { title: 'Title', description: 'Words.' };
const HELP = { ...WORDS, gist: 'Words.' };
const SCHEMA = methodSchema('mine', HELP, { reach: quantity({ ...WORDS, default: 1 }) });
const PARTS = {
  appearance: { shades: [['#fff', '#000']], dash: '', marker: 'circle' },
  carries: 'state',
  assimilates: true,
  trustsSpread: false,
  create: () => Promise.reject(new Error('is never called')),
} as const;

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

/** What is called with garbage, and the garbage that it may take. */
const CALLS: [name: string, call: Call, taken?: (value: unknown) => boolean][] = [
  ['openBackend', given((value) => openBackend(value)), (value) => value === undefined || isEmptyObject(value)],
  ['openBackend name', given((name) => openBackend({ name })), (value) => value === undefined],
  [
    'openBackend threads',
    given((threads) => openBackend({ name: 'reference', threads })),
    (value) => value === undefined,
  ],
  ['openBackend gpu', given((gpu) => openBackend({ name: 'webgpu', gpu }))],
  ['readScenario', given((value) => readScenario(value))],
  [
    'readScenario name',
    given((name) => readScenario({ version: 3, name: 'a' }, name)),
    (value) => value === undefined || typeof value === 'string',
  ],
  ['registerMethod', given((value) => registerMethod(value))],
  ['quantity', given((value) => quantity(value))],
  ['quantity default', given((value) => quantity({ ...WORDS, default: value })), Number.isFinite],
  [
    'quantity minimum',
    given((minimum) => quantity({ ...WORDS, default: 1e301, minimum })),
    (value) => value === undefined || Number.isFinite(value),
  ],
  ['count', given((value) => count({ ...WORDS, default: value })), Number.isSafeInteger],
  ['toggle', given((value) => toggle({ ...WORDS, default: value })), (value) => typeof value === 'boolean'],
  ['choice words', given((words) => choice({ ...WORDS, words, default: 'a' as never }))],
  ['choice default', given((value) => choice({ ...WORDS, words: ['a', 'b'], default: value }))],
  ['methodSchema', given((name) => methodSchema(name, HELP, {})), (value) => value === 'nope'],
  ['methodSchema help', given((help) => methodSchema('mine', help, {}))],
  ['methodSchema shape', given((shape) => methodSchema('mine', HELP, shape)), isEmptyObject],
  ['defineMethod', given((schema) => defineMethod(schema, PARTS))],
  ['defineMethod parts', given((parts) => defineMethod(SCHEMA, parts))],
  ['defineMethod create', given((create) => defineMethod(SCHEMA, { ...PARTS, create })), isFunction],
  ['defineMethod appearance', given((appearance) => defineMethod(SCHEMA, { ...PARTS, appearance }))],
  [
    'defineMethod memory',
    given((memory) => defineMethod(SCHEMA, { ...PARTS, memory })),
    (value) => value === undefined || isFunction(value),
  ],
  ['explainWith', given((answers) => explainWith(answers)), isEmptyObject],
  ['createTwinExperiment', given((value) => createTwinExperiment(value, { backend }))],
  ['createTwinExperiment options', given((value) => createTwinExperiment(scenario, value))],
  ['createTwinExperiment backend', given((value) => createTwinExperiment(scenario, { backend: value }))],
  [
    'createTwinExperiment files',
    given((files) => createTwinExperiment(scenario, { backend, files })),
    (value) => value === undefined || isEmptyObject(value),
  ],
  [
    'createTwinExperiment a file',
    given((file) => createTwinExperiment(scenario, { backend, files: { 'a.npy': file } })),
  ],
  [
    'createTwinExperiment checkpoint',
    given((checkpoint) => createTwinExperiment(scenario, { backend, checkpoint })),
    (value) => value === undefined,
  ],
  [
    'createTwinExperiment keepsForecasts',
    given((keepsForecasts) => createTwinExperiment(scenario, { backend, keepsForecasts })),
    (value) => value === undefined || value === true,
  ],
  [
    'createTwinExperiment onWarning',
    given((onWarning) => createTwinExperiment(scenario, { backend, onWarning })),
    (value) => value === undefined || typeof value === 'function',
  ],
  ['plane', given((value) => experiment.plane(value))],
  ['plane of', given((of) => experiment.plane({ of, variable: 'h' }))],
  ['plane variable', given((variable) => experiment.plane({ of: 'truth', variable }))],
  [
    'plane member',
    given((member) => experiment.plane({ of: 'truth', variable: 'h', member })),
    (value) => value === undefined,
  ],
  ['spread', given((value) => experiment.spread(value))],
  ['explain', given((method) => experiment.explain(method, { kind: 'nope' } as never))],
  ['explain question', given((question) => experiment.explain('free-run', question))],
];

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

const nothing = (): boolean => false;

describe.each(CALLS.map(([name, call, taken = nothing]) => ({ name, call, taken })))('$name', ({ call, taken }) => {
  it('names what is wrong with anything that it does not take', async () => {
    for (const value of GARBAGE.filter((each) => !taken(each))) {
      const outcome = await Promise.resolve()
        .then(() => call(value as never))
        .then(() => undefined, errorOf);
      const where =
        typeof value === 'symbol' ? 'a symbol' : JSON.stringify(value, (_key, each: unknown) => String(each));
      expect(`${where}: ${outcome?.name}: ${outcome?.message}`).toMatch(
        /: (?:ArgumentError|ScenarioError|RangeError|QuestionError|NotKeptError): (?!.*(?:undefined|destructure|is not iterable|Cannot (?:read|convert)))/s,
      );
    }
  });
});

it('refuses options that are not known, with the one that is near', async () => {
  await expect(openBackend({ backend: 'reference' } as never)).rejects.toThrow(
    'openBackend: found the option "backend", allowed: name, threads or gpu',
  );
  await expect(openBackend({ thread: 2 } as never)).rejects.toThrow('did you mean');
  await expect(openBackend({ threads: 1e9 })).rejects.toThrow(
    'openBackend: threads: found 1000000000, allowed: a whole number from 1 to 1024',
  );
  await expect(openBackend({ name: 'nope' } as never)).rejects.toThrow(ArgumentError);
});

it('leaves a caller’s checkpoint as it is', async () => {
  const checkpoint = await experiment.checkpoint();
  const copy = structuredClone(checkpoint);
  const other = await createTwinExperiment(scenario, { backend, checkpoint });
  await other.step();
  other.dispose();
  expect(checkpoint).toEqual(copy);
});
