/** Reading beside the page: what crosses is what would have been read here, and so is what is wrong with it. */
import { describe, expect, it } from 'vitest';
import type { OpenedFile } from '../../../../app/host/host.ts';
import { readScenario, serveReading } from '../../../../app/features/reading/reading-service.ts';
import type { ReadingCommands, ReadingQuestion } from '../../../../app/features/reading/reading-service.ts';
import { createWorkerReader } from '../../../../app/features/reading/worker-reader.ts';
import { readHdf5Here, ScenarioError } from '../../../../engine/index.ts';
import { wires } from '../../workers/wires.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A reader whose workers are in this thread, and how many it has started. */
function reader() {
  let started = 0;
  const start = () => {
    started += 1;
    const { page, worker } = wires<ReadingCommands, ReadingQuestion>();
    serveReading(worker, readHdf5Here);
    return page;
  };
  return { started: () => started, ...createWorkerReader(start) };
}

function scenario(description: string, files: Readonly<Record<string, string>> = {}): OpenedFile {
  const observations = Object.keys(files).map((file) => ({
    name: file,
    network: { kind: 'file', file },
    errorStandardDeviation: 0.1,
  }));
  const raw = { version: 3, name: 'read', description, ...(observations.length > 0 && { observations }) };
  return {
    name: 'read.json',
    bytes: bytesOf(JSON.stringify(raw)),
    siblings: async (name, most) => {
      const text = files[name];
      if (text.length > most) throw new RangeError('too large');
      return text === '' ? undefined : bytesOf(text);
    },
  };
}

describe('a scenario', () => {
  it('that is short and names no file is read here', async () => {
    const beside = reader();
    expect((await beside.scenario(scenario('short'))).parsed.scenario.name).toBe('read');
    expect(beside.started()).toBe(0);
  });

  it('that is long is read by a worker, and stays the host’s', async () => {
    const beside = reader();
    // Spaces between values are not bounded as texts are.
    const given = scenario('long');
    const bytes = bytesOf(new TextDecoder().decode(given.bytes).replace('{', `{${' '.repeat(2 ** 15)}`));
    const here = await readScenario({ ...given, bytes }, undefined);
    expect(await beside.scenario({ ...given, bytes })).toEqual(here);
    expect(bytes.byteLength).toBeGreaterThan(2 ** 15);
    expect(beside.started()).toBe(1);
  });

  it('comes with the files that it names, which the page gets for the worker', async () => {
    const beside = reader();
    const { files } = await beside.scenario(
      scenario('', { 'a.csv': 'x,y,time\n1,2,3\n', 'b.csv': 'x,y,time\n3,2,1\n' }),
    );
    expect(Object.keys(files)).toEqual(['a.csv', 'b.csv']);
    expect(new TextDecoder().decode(files['b.csv'])).toBe('x,y,time\n3,2,1\n');
  });

  it('is refused with every problem, of its own and of its files', async () => {
    const beside = reader();
    const failure: unknown = await beside
      .scenario(scenario('', { 'a.csv': 'x,y\n', 'gone.csv': '' }))
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ScenarioError);
    const { problems } = failure as ScenarioError;
    expect(problems).toHaveLength(2);
    expect(problems[0].message).toContain('there is no column "time"');
    expect(problems[1].message).toContain('gone.csv is not beside read.json');
  });
});

it('a folder without a run is refused, and its files are given away', async () => {
  const notes = bytesOf('notes');
  await expect(reader().run({ 'notes.txt': notes })).rejects.toThrow('found no run.json');
  expect(notes.byteLength).toBe(0);
});
