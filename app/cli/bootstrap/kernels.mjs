/**
 * Compiles the kernels of the `wasm` backend: every `*.as.ts` (AssemblyScript) of a room is an entry of one module, built in the variants that `engine/compute/wasm/kernel-modules.ts` chooses among. What was compiled is kept under
 * node_modules/.cache by the contents of its sources.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(fileURLToPath(import.meta.url), '..', '..', '..', '..');
const cache = join(root, 'node_modules', '.cache', 'shoal', 'kernels');
const ENDING = '.as.ts';
/** Files with kernels are entries of the module; these hold what several share. */
const LIBRARY = /-library\.as\.ts$/;
const SOURCE_FOLDER = 'engine';
const PREFIX = 'virtual:shoal-kernels/';
/** The module that exports a hash of the kernels' sources: what was measured of other kernels is not taken for these. */
const VERSION = 'version';
/** What kernels are made of on all backends: AssemblyScript, WGSL, and what a room prepares and offers them with. */
const KERNEL_SOURCE = /(\.as\.ts|\.wgsl|(^|\/)(wasm|webgpu)[^/]*\.ts|(^|\/)[^/]*variants\.ts)$/;

/** Warning about vectors as arguments of exported functions, which only other kernels call. */
const VECTOR_ARGUMENTS = '112';
/** Memory comes from outside: one page for constants, the rest is handed out by engine/compute/wasm/memory.ts. */
const COMMON = [
  '--disableWarning',
  VECTOR_ARGUMENTS,
  '-O3',
  '--noAssert',
  '--runtime',
  'stub',
  '--use',
  'abort=',
  '--importMemory',
  '--initialMemory',
  '1',
];
const SHARED = ['--enable', 'threads', '--sharedMemory', '--maximumMemory', '65536'];
const VARIANTS = {
  'threads-relaxed': [...SHARED, '--enable', 'relaxed-simd', '--use', 'FUSED=1'],
  threads: [...SHARED, '--use', 'FUSED=0'],
  single: ['--use', 'FUSED=0'],
};

export const KERNEL_VARIANTS = Object.keys(VARIANTS);

function sourcesUnder(folder, isSource = (name) => name.endsWith(ENDING)) {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map((entry) =>
      relative(root, join(entry.parentPath ?? entry.path, entry.name))
        .split(sep)
        .join('/'),
    )
    .sort();
}

function versionOfCompiler() {
  return JSON.parse(readFileSync(join(root, 'node_modules', 'assemblyscript', 'package.json'), 'utf8')).version;
}

/** @throws Error with what the compiler says */
async function compile(entries, options, target) {
  const { default: asc } = await import('assemblyscript/asc');
  const written = new Map();
  let said = '';
  const { error } = await asc.main([...entries, '--outFile', target, '--enable', 'simd', ...COMMON, ...options], {
    readFile: (name, base) => {
      try {
        // Wherever the program was started from.
        return readFileSync(resolve(root, base, name), 'utf8');
      } catch {
        return null;
      }
    },
    writeFile: (name, contents) => void written.set(name, contents),
    listFiles: () => [],
    stderr: { write: (text) => void (said += text) },
  });
  const binary = written.get(target);
  if (error || !binary || said) throw new Error(`the kernels do not compile:\n${said}${error?.message ?? ''}`);
  return binary;
}

/** @returns the compiled module of a variant */
export async function kernelBinary(variant) {
  const sources = sourcesUnder(SOURCE_FOLDER);
  const entries = sources.filter((path) => !LIBRARY.test(path));
  const options = VARIANTS[variant];
  const hash = createHash('sha256').update(JSON.stringify([versionOfCompiler(), COMMON, options]));
  const file = join(cache, `${variant}-${addSources(hash, sources)}.wasm`);
  try {
    return readFileSync(file);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  const binary = await compile(entries, options, 'kernels.wasm');
  mkdirSync(cache, { recursive: true });
  writeFileSync(`${file}.${process.pid}`, binary);
  renameSync(`${file}.${process.pid}`, file);
  return Buffer.from(binary);
}

const isKernelSource = (name) => KERNEL_SOURCE.test(name);

function addSources(hash, paths) {
  for (const path of paths) hash.update(`${path}\0${readFileSync(join(root, path), 'utf8')}\0`);
  return hash.digest('hex').slice(0, 24);
}

/** @returns the version of all kernels: it changes with any of their sources, or the compiler */
export function kernelsVersion() {
  const hash = createHash('sha256').update(JSON.stringify([versionOfCompiler(), COMMON, VARIANTS]));
  return addSources(hash, sourcesUnder(SOURCE_FOLDER, isKernelSource));
}

/**
 * A Vite plugin that gives the modules `virtual:shoal-kernels/<variant>`: the compiled kernels as base64 text; and
 * `virtual:shoal-kernels/version`: a hash of the sources of all kernels. The engine's arrays (.npy) are assets, which it imports
 * `?inline`.
 */
export function kernels() {
  return {
    name: 'shoal-kernels',
    config: () => ({ assetsInclude: ['**/*.npy'] }),
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const name = id.slice(PREFIX.length + 1);
      if (name === VERSION) {
        for (const path of sourcesUnder(SOURCE_FOLDER, isKernelSource)) this.addWatchFile(join(root, path));
        return `export default ${JSON.stringify(kernelsVersion())};`;
      }
      for (const path of sourcesUnder(SOURCE_FOLDER)) this.addWatchFile(join(root, path));
      const binary = await kernelBinary(name);
      return `export default ${JSON.stringify(Buffer.from(binary).toString('base64'))};`;
    },
  };
}

// Started by itself it compiles them all, and with that checks them.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    for (const variant of KERNEL_VARIANTS) await kernelBinary(variant);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
