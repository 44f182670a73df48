/** The rules of a trace in the Trace Event Format, as Perfetto relies on them. */
import { expect } from 'vitest';
import { z } from 'zod';

const args = z.record(z.string(), z.union([z.string(), z.number()]));
const event = z.discriminatedUnion('ph', [
  z.strictObject({
    ph: z.literal('M'),
    name: z.enum(['process_name', 'thread_name']),
    pid: z.int(),
    tid: z.int(),
    args,
  }),
  z.strictObject({ ph: z.literal('C'), name: z.string(), pid: z.int(), tid: z.int(), ts: z.number().min(0), args }),
  z.strictObject({
    ph: z.literal('X'),
    name: z.string().min(1),
    pid: z.int(),
    tid: z.int(),
    ts: z.number().min(0),
    dur: z.number().min(0),
    args,
  }),
]);
const traceSchema = z.strictObject({
  displayTimeUnit: z.literal('ms'),
  otherData: z.looseObject({ start: z.iso.datetime(), clockOfTheKernels: z.string().min(1) }),
  traceEvents: z.array(event),
});

export type Trace = z.output<typeof traceSchema>;
export type Complete = Extract<Trace['traceEvents'][number], { ph: 'X' }>;

export function completeEvents(trace: Trace): Complete[] {
  return trace.traceEvents.flatMap((each) => (each.ph === 'X' ? [each] : []));
}

/** Holds that the events of each track are inside of each other or apart, to the nanosecond. */
export function expectNesting(events: readonly Complete[]): void {
  const trackOf = ({ pid, tid }: Complete): string => `${pid} ${tid}`;
  for (const track of new Set(events.map(trackOf))) {
    const intervals = events
      .filter((each) => trackOf(each) === track)
      .map(({ name, ts, dur }) => ({
        name,
        from: Math.round(1000 * ts),
        to: Math.round(1000 * ts) + Math.round(1000 * dur),
      }))
      .sort((a, b) => a.from - b.from || b.to - a.to);
    const open: { name: string; to: number }[] = [];
    for (const { name, from, to } of intervals) {
      while (open.length > 0 && (open.at(-1)?.to ?? 0) <= from) open.pop();
      const outer = open.at(-1);
      if (outer)
        expect(to, `${name} overlaps the end of ${outer.name} on track ${track}`).toBeLessThanOrEqual(outer.to);
      open.push({ name, to });
    }
  }
}

/** Parses a trace and holds what holds of all of them. @param duration of the run, ms, at most */
export function readTraceText(text: string, duration = Infinity): Trace {
  const trace = traceSchema.parse(JSON.parse(text));
  const events = completeEvents(trace);
  expectNesting(events);
  const titled = new Set(
    trace.traceEvents.flatMap((each) => (each.name === 'thread_name' ? [`${each.pid} ${each.tid}`] : [])),
  );
  expect([...new Set(events.map(({ pid, tid }) => `${pid} ${tid}`))].sort()).toEqual([...titled].sort());
  for (const { ts, dur } of events) expect(ts + dur).toBeLessThanOrEqual(1000 * duration);
  return trace;
}
