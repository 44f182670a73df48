/**
 * `trace.json`: what the host and the kernels did when, for Perfetto and chrome://tracing (Trace Event Format, the object form).
 * It is written whole or not at all, a line an event, and read again when its run continues.
 */
import { z } from 'zod';
import { ScenarioError } from '../errors.ts';
import { titleEvents } from '../performance/trace-events.ts';
import type { StoredTrace, TracedCycle } from '../performance/trace-log.ts';
import { parseWrittenJson } from '../scenario/index.ts';
import { readText } from './storage.ts';
import type { Storage } from './storage.ts';
import type { RunIdentity } from './run-record.ts';

const TRACE_FILE = 'trace.json';
/** What every refusal ends with. */
const REMEDY = 'a run continues without it when it is removed';

/** Whose trace it is. */
export interface TraceIdentity extends Pick<RunIdentity, 'scenario' | 'backend'> {
  /** When the run began, ISO 8601: what the times of the trace count from. */
  readonly start: string;
}

const name = z.string().max(1000);
const place = { pid: z.number(), tid: z.number() };
/** Keys in the order in which they are written: an event that is read is written as it was. */
const args = z.record(z.string(), z.union([z.string(), z.number()]));
const time = z.number().min(0);
const metadataEvent = z.object({ name, ph: z.literal('M'), ...place, args });
const counterEvent = z.object({ name, ph: z.literal('C'), ...place, ts: time, args });
const completeEvent = z.object({
  name,
  ph: z.literal('X'),
  ...place,
  ts: time,
  dur: time,
  args: z.intersection(args, z.object({ cycle: z.number().int().min(0) })),
});
const traceSchema = z.object({
  traceEvents: z.array(z.discriminatedUnion('ph', [metadataEvent, counterEvent, completeEvent])),
  otherData: z.looseObject({
    /** In the order of the events. */
    cycles: z.array(z.object({ cycle: z.number().int().min(0), events: z.number().int().min(0) })),
    leftOut: z.object({ cycles: z.number().int().min(0), kernels: z.number().int().min(0) }),
    clockErrorMicroseconds: z.number().min(0),
  }),
});

function clockWords(microseconds: number): string {
  return microseconds > 0
    ? `the device's, laid over the host's to ${Number(microseconds.toPrecision(2))} µs by when work was submitted and its results arrived`
    : "the host's, performance.now() of the thread that computes";
}

/** @returns the file's content */
export function formatTrace({ cycles, leftOut, clockErrorMicroseconds }: StoredTrace, identity: TraceIdentity): string {
  const { scenario, backend, start } = identity;
  const threads = new Set(cycles.flatMap((traced) => traced.threads));
  const titles = titleEvents(threads, `${backend.name} (${backend.adapter})`).map((event) => JSON.stringify(event));
  const otherData = {
    program: 'Shoal',
    scenario: scenario.name,
    seed: scenario.seed,
    backend: backend.name,
    adapter: backend.adapter,
    start,
    clockOfTheHost: 'performance.now() of the thread that computes, laid after the start of the run',
    clockOfTheKernels: clockWords(clockErrorMicroseconds),
    clockErrorMicroseconds,
    kernels:
      'of the cycles whose kernels were timed one by one, with all parts of the cycle; in the others passes are merged',
    counters: 'of each cycle: since the numbers of the cycle before were reported',
    leftOut,
    cycles: cycles.map(({ cycle, lines }) => ({ cycle, events: lines.length })),
  };
  const lines = [...titles, ...cycles.flatMap((traced) => traced.lines)];
  return `{"displayTimeUnit":"ms","otherData":${JSON.stringify(otherData)},"traceEvents":[\n${lines.join(',\n')}\n]}\n`;
}

/** The cycles with their events, as they were written. @throws ScenarioError if there are more or fewer events */
function byCycle({ traceEvents, otherData }: z.output<typeof traceSchema>): TracedCycle[] {
  const events = traceEvents.filter(({ ph }) => ph !== 'M');
  let from = 0;
  const cycles = otherData.cycles.map(({ cycle, events: count }): TracedCycle => {
    const own = events.slice(from, from + count);
    from += count;
    const threads = own.filter(({ ph }) => ph === 'X').map(({ pid, tid }) => `${pid} ${tid}`);
    return { cycle, lines: own.map((event) => JSON.stringify(event)), threads: [...new Set(threads)] };
  });
  if (from !== events.length) throw refusal(`found ${events.length} events, its cycles have ${from}`, ['traceEvents']);
  return cycles;
}

/** @throws ScenarioError where it is no JSON */
function parsed(text: string): unknown {
  try {
    return parseWrittenJson(text, TRACE_FILE);
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    throw new ScenarioError(error.problems.map((each) => ({ ...each, message: `${each.message}; ${REMEDY}` })));
  }
}

function refusal(message: string, path: readonly (string | number)[] = []): ScenarioError {
  return new ScenarioError([{ file: TRACE_FILE, path: [...path], message: `${message}; ${REMEDY}` }]);
}

/** @returns undefined if there is none. @throws ScenarioError naming the place and what is wrong there */
export async function readTrace(storage: Storage): Promise<StoredTrace | undefined> {
  const text = await readText(storage, TRACE_FILE);
  if (text === undefined) return undefined;
  const { data, error } = traceSchema.safeParse(parsed(text));
  if (!data) {
    const [{ path, message }] = error.issues;
    throw refusal(
      message,
      path.map((key) => (typeof key === 'symbol' ? String(key) : key)),
    );
  }
  const { leftOut, clockErrorMicroseconds } = data.otherData;
  return { cycles: byCycle(data), leftOut, clockErrorMicroseconds };
}

export async function writeTrace(storage: Storage, trace: StoredTrace, identity: TraceIdentity): Promise<void> {
  await storage.writeWhole(TRACE_FILE, formatTrace(trace, identity));
}
