/**
 * The package as users get it: `npm pack`, `npm install` of the file in an empty project and for all projects, a run, the
 * page, and a TypeScript program whose compiler checks the library's types too.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const LARGEST_UNPACKED_BYTES = 25e6;
const INSTALL = ['install', '--prefer-offline', '--no-audit', '--no-fund'];

interface Packed {
  readonly filename: string;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

let folder = '';
let project = '';
let packed: Packed;

function run(command: string, args: readonly string[], cwd: string) {
  const { npm_lifecycle_event: _script, INIT_CWD: _folder, ...env } = process.env;
  return spawnSync(command, args, { cwd, env, encoding: 'utf8', shell: process.platform === 'win32' });
}

function npm(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = run('npm', args, cwd);
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`);
  return stdout;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-install-'));
  project = join(folder, 'project');
  mkdirSync(project);
  const stdout = npm(['pack', '--json', '--pack-destination', folder], ROOT);
  packed = JSON.parse(stdout.slice(stdout.indexOf('[')))[0];
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  npm([...INSTALL, join(folder, packed.filename)], project);
}, 1_200_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package', () => {
  it('has at most 25 MB, no tests and no source maps', () => {
    expect(packed.unpackedSize).toBeLessThan(LARGEST_UNPACKED_BYTES);
    const paths = packed.files.map(({ path }) => path);
    expect(paths.filter((path) => /\.map$|(^|\/)test\/|\.test\./.test(path))).toEqual([]);
    const tops = new Set(
      paths.map((path) =>
        path
          .split('/')
          .slice(0, 2)
          .join('/')
          .replace(/^scenarios\/.*/, 'scenarios'),
      ),
    );
    expect([...tops].sort()).toEqual(
      ['LICENSE', 'README.md', 'app/cli', 'package.json', 'scenarios']
        .concat(['command-line', 'library', 'main', 'page'].map((name) => `out/${name}`))
        .sort(),
    );
  });

  it('runs in an empty project, and installed for all projects', () => {
    const words = ['run', 'one-stone', '--json', '--set', 'experiment.cycles=2', '--set', 'experiment.spinup=0'];
    const local = run('npx', ['shoal', ...words], project);
    expect(JSON.parse(local.stdout)).toMatchObject({ scenario: 'one-stone' });
    const prefix = join(folder, 'prefix');
    npm([...INSTALL, '--global', '--prefix', prefix, join(folder, packed.filename)], folder);
    const bin = process.platform === 'win32' ? join(prefix, 'shoal') : join(prefix, 'bin', 'shoal');
    const everywhere = run(bin, words, project);
    expect(everywhere.stderr).toContain('npm install --global webgpu@');
    expect(JSON.parse(everywhere.stdout)).toMatchObject({ scenario: 'one-stone' });
  });

  it('serves the page', async () => {
    const launcher = join(project, 'node_modules', 'shoal', 'app', 'cli', 'bootstrap.mjs');
    const server = spawn(process.execPath, [launcher, 'start', '--no-open'], { cwd: project });
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    const url = line.toString().trim();
    const page = await (await fetch(url)).text();
    const [, script] = /src="\.\/(assets\/index-[^"]+\.js)"/.exec(page) ?? [];
    const answer = await fetch(new URL(script, url));
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    const name = join(project, 'node_modules', 'shoal', 'out', 'page', `${script}.gz`);
    expect(await answer.text()).toBe(gunzipSync(readFileSync(name)).toString());
    server.kill('SIGINT');
    await once(server, 'exit');
  });

  it.each([
    ['of Node', ['es2023'], ['node']],
    ['of a page', ['es2023', 'dom'], []],
    ['of neither', ['es2023'], []],
  ])('has types that compile as they are in a program %s', (_kind, lib, types) => {
    const typeRoots = [join(ROOT, 'node_modules', '@types')];
    const compilerOptions = { noEmit: true, strict: true, target: 'es2023', module: 'nodenext', lib, types, typeRoots };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['own.mts'] }));
    writeFileSync(
      join(project, 'own.mts'),
      `import { createTwinExperiment, openBackend, readScenario } from 'shoal';
      const backend = await openBackend({ name: 'reference' });
      const experiment = await createTwinExperiment(readScenario({ version: 3, name: 'typed' }), { backend });
      export const error: number | undefined = (await experiment.step()).diagnostics.get('letkf')?.rmse.analysis['h'];`,
    );
    for (const compiler of ['typescript', 'typescript-5']) {
      const tsc = join(ROOT, 'node_modules', compiler, 'bin', 'tsc');
      expect(run(process.execPath, [tsc, '-p', project], project).stdout).toBe('');
    }
  });

  it('leaves nothing but its files in the project', () => {
    expect(readdirSync(project).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});
