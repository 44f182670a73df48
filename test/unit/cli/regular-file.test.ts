/** Files that others name: regular ones of bounded size are read, and nothing else is waited for. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import apply from '../../../app/cli/commands/apply.ts';
import { describeFailure, createTerminal } from '../../../app/cli/context.ts';
import { createNodeStorage } from '../../../app/cli/node-storage.ts';
import { FileError, readRegularFile } from '../../../app/files/regular-file.ts';
import { loadScenario, readScenarioFiles } from '../../../app/cli/scenario-source.ts';
import { SCENARIO_VERSION, readHdf5Here, readRunCheckpoint, validateScenario } from '../../../engine/index.ts';

let folder = '';
const at = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-files-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function failureOf(work: Promise<unknown>): Promise<ReturnType<typeof describeFailure>> {
  return describeFailure(await work.catch((error: unknown) => error));
}

describe('a file', () => {
  it('is read whole up to its limit, through links to it', async () => {
    const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => i % 251);
    writeFileSync(at('data'), bytes);
    symlinkSync('data', at('link'));
    expect(Buffer.compare(await readRegularFile(at('link'), bytes.length), bytes)).toBe(0);
    await expect(readRegularFile(at('data'), bytes.length - 1)).rejects.toThrow('found 300000 bytes, allowed: 299999');
  });

  it('that has nothing in it is empty', async () => {
    writeFileSync(at('nothing'), '');
    expect(await readRegularFile(at('nothing'), 0)).toHaveLength(0);
  });

  it.runIf(process.platform === 'linux')(
    'that does not say its size is read to its end, and no further than its limit',
    async () => {
      expect(new TextDecoder().decode(await readRegularFile('/proc/self/status', 2 ** 20))).toMatch(/^Name:/);
      await expect(readRegularFile('/proc/self/status', 10)).rejects.toThrow('found more than 10 bytes, allowed: 10');
    },
  );

  it('that is not there is reported by the system, with its path', async () => {
    await expect(readRegularFile(at('gone'), 1)).rejects.toMatchObject({ code: 'ENOENT', path: at('gone') });
  });
});

/** What is no regular file, made under a name; Windows has none of them in its folders. */
const KINDS: readonly (readonly [kind: string, make: (path: string) => void, reason: RegExp])[] = [
  ['a folder', (path) => mkdirSync(path), /is a folder, a file is needed$/],
  ['a named pipe', (path) => execFileSync('mkfifo', [path]), /is a named pipe, a file is needed$/],
  ['a device', (path) => symlinkSync('/dev/null', path), /is a device, a file is needed$/],
  ['a link to a device without end', (path) => symlinkSync('/dev/zero', path), /is a device, a file is needed$/],
];

/** A scenario that refers to two files. */
function referring(bed: string, network: string) {
  const raw = {
    version: SCENARIO_VERSION,
    name: 'files',
    model: { bathymetry: { kind: 'file', file: bed } },
    observations: [{ network: { kind: 'file', file: network } }],
  };
  return validateScenario(raw, 'files.json').scenario;
}

describe.runIf(process.platform !== 'win32').each(KINDS)('%s', (kind, make, reason) => {
  it('is refused in one line, at once, wherever a file is read', async () => {
    const name = kind.replaceAll(' ', '-');
    const inside = (child: string): string => join(at(name), child);
    mkdirSync(at(name));
    for (const child of ['scenario.json', 'bed.npy', 'places.csv', 'checkpoint.json', 'case.json']) make(inside(child));

    const asScenario = await failureOf(loadScenario(inside('scenario.json')));
    expect(asScenario).toEqual({ lines: [expect.stringMatching(reason)], exitCode: 2 });
    expect(asScenario.lines[0].startsWith(inside('scenario.json'))).toBe(true);

    const beside = await failureOf(
      readScenarioFiles(referring('bed.npy', 'places.csv'), inside('files.json'), readHdf5Here),
    );
    expect(beside).toEqual({ lines: [expect.stringMatching(reason), expect.stringMatching(reason)], exitCode: 2 });

    const checkpoint = await failureOf(readRunCheckpoint(createNodeStorage(at(name))));
    expect(checkpoint).toEqual({ lines: [expect.stringMatching(reason)], exitCode: 2 });

    const said: string[] = [];
    const silent = { write: () => true };
    const terminal = createTerminal({}, silent, { write: (text: string) => said.push(text) });
    const installation = { root: folder, bundleFolder: folder, launcher: '' };
    expect(await apply({ terminal, installation, argv: [] }, [at(name)], { backend: 'reference', format: 'npy' })).toBe(
      2,
    );
    expect(said.at(-1)?.trim()).toMatch(reason);
  });
});

it.runIf(process.platform === 'linux')('a socket is refused', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(at('socket'), resolve));
  const failure: unknown = await readRegularFile(at('socket'), 1).catch((error: unknown) => error);
  server.close();
  expect(failure).toBeInstanceOf(FileError);
  expect((failure as Error).message).toMatch(/is a socket or a device, a file is needed$/);
});

it('an array larger than its grid can have is refused unread', async () => {
  const { scenario } = validateScenario(
    { version: SCENARIO_VERSION, name: 'large', model: { bathymetry: { kind: 'file', file: 'huge.npy' } } },
    'large.json',
  );
  writeFileSync(at('huge.npy'), '');
  truncateSync(at('huge.npy'), 900 * 2 ** 20);
  const { lines, exitCode } = await failureOf(readScenarioFiles(scenario, at('large.json'), readHdf5Here));
  expect(exitCode).toBe(2);
  expect(lines[0]).toMatch(/huge\.npy cannot be read: found 943718400 bytes, allowed: \d+$/);
});
