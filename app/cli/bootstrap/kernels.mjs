/**
 * Compiles the kernels of the `wasm` backend: every `*.as.ts` (AssemblyScript) of a room is an entry of one module,
 * built in the variants that `engine/compute/wasm/kernel-modules.ts` chooses among. A class that a kernel imports from a TypeScript
 * file is made of the parameter block of that name there. What was compiled is kept under node_modules/.cache by the contents of
 * its sources.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(fileURLToPath(import.meta.url), '..', '..', '..', '..');
const cache = join(root, 'node_modules', '.cache', 'shoal', 'kernels');
const ENDING = '.as.ts';
/** Files with kernels are entries of the module; these hold what several share. */
const LIBRARY = /-library\.as\.ts$/;
const SOURCE_FOLDER = 'engine';
const engine = join(root, SOURCE_FOLDER) + sep;
const PREFIX = 'virtual:shoal-kernels/';
/** The module that exports a hash of the kernels' sources: what was measured of other kernels is not taken for these. */
const VERSION = 'version';
/** What kernels are made of on all backends: AssemblyScript, WGSL, and what a room prepares and offers them with. */
const KERNEL_SOURCE = /(\.as\.ts|\.wgsl|(^|\/)(wasm|webgpu)[^/]*\.ts|(^|\/)[^/]*(devices|variants)\.ts)$/;

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

/** What members of parameter blocks are in AssemblyScript, by their kinds of engine/compute/parameter-block.ts. */
const MEMBER_TYPES = { count: 'i32', flag: 'i32', u32: 'i32', i32: 'i32', f32: 'f32', part: 'i32', pointer: 'usize' };
const COMMENT = /\/\*\*[\s\S]*?\*\//g;
const BLOCK = /parameterBlock\(\s*'(\w+)',\s*\{([\s\S]*?)\}\s*,?\s*\)/g;
const IMPORT = /\bfrom '(\.[^']+)';$/gm;
const MEMBER = /^(?:\.\.\.(?<constant>\w+)|(?<name>\w+): '(?<kind>[\w ]+)')$/;

/** @returns the members of a description in the text of a file, as those of a class */
function membersOf(file, text, body) {
  const entries = body
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return entries.flatMap((entry) => {
    const { constant, name, kind } = MEMBER.exec(entry)?.groups ?? {};
    if (constant) return constantMembers(file, text, constant);
    const type =
      MEMBER_TYPES[kind] ?? (/^((read|write) (real|index)|(real|index) table)$/.test(kind) ? 'usize' : undefined);
    if (!type)
      throw new Error(`${file}: '${entry}' is no member of a parameter block; write NAME: 'KIND' or ...CONSTANT`);
    return [`  ${name}: ${type};\n`];
  });
}

/** @returns the members of a constant of the file itself, or of the one that it is imported from */
function constantMembers(file, text, constant) {
  const own = new RegExp(`const ${constant} = \\{([\\s\\S]*?)\\} as const`).exec(text);
  if (own) return membersOf(file, text, own[1]);
  const from = new RegExp(`import \\{[^}]*\\b${constant}\\b[^}]*\\} from '([^']+)'`).exec(text);
  if (!from) throw new Error(`${file}: ${constant} is neither a constant of the file nor imported`);
  const other = resolve(dirname(file), from[1]);
  return constantMembers(other, readFileSync(other, 'utf8').replaceAll(COMMENT, ''), constant);
}

/** @returns AssemblyScript for the parameter blocks that a TypeScript file describes: a class each */
export function classesOf(file, source = readFileSync(file, 'utf8')) {
  const text = source.replaceAll(COMMENT, '');
  return Array.from(text.matchAll(BLOCK), ([, name, body]) => {
    const members = membersOf(file, text, body);
    return `@unmanaged\nexport class ${name} {\n${members.join('')}}\n`;
  }).join('\n');
}

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
        const file = resolve(root, base, name);
        return file.startsWith(engine) && !file.endsWith(ENDING) ? classesOf(file) : readFileSync(file, 'utf8');
      } catch (error) {
        if (error.code === 'ENOENT') return null;
        throw error;
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

/** @returns the TypeScript files whose parameter blocks some of these sources import */
function descriptionsFor(sources) {
  const found = sources.flatMap((path) =>
    Array.from(readFileSync(join(root, path), 'utf8').matchAll(IMPORT), ([, name]) =>
      posix.join(posix.dirname(path), `${name}.ts`),
    ),
  );
  return [...new Set(found)].filter((path) => !path.endsWith(ENDING));
}

/** @returns the compiled module of a variant */
export async function kernelBinary(variant) {
  const sources = sourcesUnder(SOURCE_FOLDER);
  const entries = sources.filter((path) => !LIBRARY.test(path));
  const options = VARIANTS[variant];
  const classes = descriptionsFor(sources).map((path) => classesOf(join(root, path)));
  const hash = createHash('sha256').update(JSON.stringify([versionOfCompiler(), COMMON, options, classes]));
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

/** @returns what kernels are made of on all backends, with the descriptions of their parameters */
function allKernelSources() {
  const descriptions = descriptionsFor(sourcesUnder(SOURCE_FOLDER));
  return [...new Set([...sourcesUnder(SOURCE_FOLDER, isKernelSource), ...descriptions])];
}

/** @returns the version of all kernels: it changes with any of their sources, or the compiler */
export function kernelsVersion() {
  const hash = createHash('sha256').update(JSON.stringify([versionOfCompiler(), COMMON, VARIANTS]));
  return addSources(hash, allKernelSources());
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
        for (const path of allKernelSources()) this.addWatchFile(join(root, path));
        return `export default ${JSON.stringify(kernelsVersion())};`;
      }
      const sources = sourcesUnder(SOURCE_FOLDER);
      for (const path of [...sources, ...descriptionsFor(sources)]) this.addWatchFile(join(root, path));
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
