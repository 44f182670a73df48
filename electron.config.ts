/**
 * One configuration for everything that is built from these sources: the command line's bundle, and beside it the desktop
 * application's main process, preload script and renderer.
 */
import { readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown, UserConfig } from 'vite';
import { kernels } from './app/cli/bootstrap/kernels.mjs';
import { developmentHeaders } from './app/server/development.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The licences of the packages inside what is shipped. */
const LICENCES = 'licenses.md';

const engineFolder = at('engine');

/** No module of the engine is imported for what it does when it is loaded: a thread loads those alone whose exports it needs. */
const treeshake = { moduleSideEffects: (id: string): boolean => !id.startsWith(engineFolder) };

/**
 * Node bundle of app/cli: packages stay outside, WGSL comes in as text (`?raw`), compiled kernels as base64, commands are loaded when
 * first used. Less text is quicker to compile, in every thread again.
 */
const cli: UserConfig = {
  // In ninety modules of its own it takes a thread as long to load as the engine.
  ssr: { noExternal: ['zod'] },
  publicDir: false,
  plugins: [kernels()],
  build: {
    ssr: true,
    target: 'node20',
    minify: true,
    sourcemap: true,
    rollupOptions: {
      treeshake,
      input: {
        main: 'app/cli/main.ts',
        'adapter-probe': 'app/cli/adapter-probe.ts',
        'engine-worker': 'app/cli/run/engine-worker.ts',
        'draw-worker': 'app/cli/run/draw-worker.ts',
        'sweep-worker': 'app/cli/sweep/worker.ts',
        'bench-worker': 'app/cli/bench/bench-worker.ts',
        'check-worker': 'app/cli/check/check-worker.ts',
        'hdf5-worker': 'app/cli/hdf5-worker.ts',
        'kernel-thread': 'app/cli/kernel-thread.ts',
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
};

/** Electron's main process: one module with all that it needs inside, so that the package carries no node_modules. */
const main = {
  publicDir: false,
  plugins: [kernels()],
  build: {
    externalizeDeps: false,
    outDir: at('out/main'),
    license: { fileName: LICENCES },
    minify: true,
    sourcemap: false,
    rollupOptions: {
      input: { index: at('app/main/index.ts') },
      // Of the engine it reads scenarios; nothing is imported for what it does when it is loaded.
      treeshake: { moduleSideEffects: false },
      // Kinds are defined with their kernels, which are loaded when they are first used: not by this process.
      output: { format: 'es', entryFileNames: '[name].js', codeSplitting: false },
    },
  },
} as const;

/** The bridge: a sandboxed preload script is CommonJS in a single file. */
const preload = {
  publicDir: false,
  build: {
    externalizeDeps: false,
    outDir: at('out/preload'),
    sourcemap: false,
    rollupOptions: {
      input: { index: at('app/preload/preload.ts') },
      output: { format: 'cjs', entryFileNames: '[name].cjs' },
    },
  },
} as const;

/** Where the packages are; they may be elsewhere and linked. */
const packages = realpathSync(at('node_modules'));

/** A worker that is started by its source: `new Worker(new URL('./NAME.ts', import.meta.url), …)`. */
const WORKER = /(?<=new Worker\(\s*)new URL\('(\.[^']+)', import\.meta\.url\)/g;

/**
 * Builds the page's workers with the page, so that they share what they have in common: Vite builds each by itself, with an engine
 * of its own.
 */
const workersOfPage: Plugin = {
  name: 'shoal-workers',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { code: WORKER },
    handler(code, id) {
      return code.replaceAll(WORKER, (_, path: string) => {
        const script = this.emitFile({ type: 'chunk', id: join(dirname(id), path), name: basename(path, '.ts') });
        return `import.meta.ROLLUP_FILE_URL_${script}`;
      });
    },
  },
  load: {
    // A chunk that workers share cannot prepare the page for what it loads later.
    filter: { id: /vite\/preload-helper/ },
    handler: () => 'export const __vitePreload = (load) => load();',
  },
};

/**
 * What the page's script imports when it has started the worker is fetched with it, and named in the order in which it is evaluated:
 * the script evaluates one file after another.
 */
const preloadWindow: Plugin = {
  name: 'shoal-window',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const seen = new Set<string>();
      /** A file after those that it imports. */
      const inOrder = (file: string): readonly string[] => {
        const chunk = bundle[file];
        if (seen.has(file) || chunk?.type !== 'chunk') return [];
        seen.add(file);
        return [...chunk.imports.flatMap(inOrder), file];
      };
      return Object.entries(bundle)
        .filter(([, chunk]) => chunk.type === 'chunk' && chunk.facadeModuleId?.endsWith('shell/start.tsx'))
        .flatMap(([file]) => inOrder(file))
        .filter((file) => !html.includes(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}` },
          injectTo: 'head' as const,
        }));
    },
  },
};

/** Whether a module is loaded with the script that a worker begins with, and is not that script. */
function isLoadedAtOnce(module: string, context: Rolldown.ChunkingContext): boolean {
  const seen = new Set<string>();
  const isOfWorker = (id: string): boolean => {
    if (seen.has(id)) return false;
    seen.add(id);
    const info = context.getModuleInfo(id);
    return info !== null && ((info.isEntry && id.endsWith('.ts')) || info.importers.some(isOfWorker));
  };
  return context.getModuleInfo(module)?.isEntry === false && isOfWorker(module);
}

/**
 * Rooms of the engine that the page and its workers load at once and together, as the floors are: what backends are, what models and
 * operators are, what methods are, what scenarios are, how they run, and what is made of many runs. None of the six imports one that
 * comes after it, and none takes the page long to evaluate.
 */
const BACKENDS = /[\\/]engine[\\/](\w+\.ts|(compute|random)[\\/]|run[\\/]calls|files[\\/]checksums)/;
const MODELS = /[\\/]engine[\\/](models|operators|settings|statistics)[\\/]/;
const METHODS = /[\\/]engine[\\/](bathymetry|forcing|initial-states|methods|model-kinds|networks)[\\/]/;
const SCENARIOS = /[\\/]engine[\\/](experiment|scenario)[\\/]/;
const RUNS = /[\\/]engine[\\/](consistency|impact|performance|run)[\\/]/;
const RESULTS = /[\\/]engine[\\/](benchmarks|check|output|papers|sweep|tune)[\\/]/;

/** @returns what workers load at once of these modules, as one chunk */
const loadedAtOnce = (chunk: string, modules: RegExp, priority: number): Rolldown.CodeSplittingGroup => ({
  name: (module, context) => (modules.test(module) && isLoadedAtOnce(module, context) ? chunk : null),
  priority,
});

/**
 * What the security policy asks of zod is set in one chunk with zod itself: whichever chunk makes a schema as it is loaded, it
 * finds it set. A worker's script imports all that it is made of: WebKit runs the script a second time if a part that is loaded
 * later imports it, and then there are two that listen. A part is what the same scripts need.
 */
const pageOutput: Rolldown.OutputOptions = {
  chunkFileNames: ({ name }) => `assets/${name.startsWith('part') ? 'part' : '[name]'}-[hash].js`,
  codeSplitting: {
    groups: [
      { name: 'load', test: /vite\/preload-helper/, priority: 8 },
      { name: 'strict-policy', test: /[\\/]node_modules[\\/]zod[\\/]|strict-policy/, priority: 7 },
      loadedAtOnce('backends', BACKENDS, 6),
      loadedAtOnce('models', MODELS, 5),
      loadedAtOnce('methods', METHODS, 4),
      loadedAtOnce('scenarios', SCENARIOS, 3),
      loadedAtOnce('runs', RUNS, 2),
      loadedAtOnce('results', RESULTS, 1),
      { ...loadedAtOnce('part', /./, 0), entriesAware: true },
    ],
  },
};

/** Where links lead that are copied in a window of its own: the site that package.json names, if it names one. */
function siteOfPackage(): string {
  const { homepage } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { readonly homepage?: string };
  if (homepage === undefined) return '';
  const { protocol, origin, pathname } = new URL(homepage);
  if (protocol !== 'https:') throw new Error(`package.json: homepage: found ${homepage}, allowed: an https address`);
  return origin + pathname;
}

/** The page and its workers. What is developed is served with the same headers as what is built. */
const renderer: UserConfig = {
  root: at('app/shell'),
  base: './',
  publicDir: false,
  define: { 'import.meta.env.SHOAL_SITE': JSON.stringify(siteOfPackage()) },
  plugins: [kernels(), workersOfPage, preloadWindow, developmentHeaders()],
  server: { host: '127.0.0.1', fs: { allow: [at('.'), packages] } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: at('out/renderer'),
    license: { fileName: `assets/${LICENCES}` },
    emptyOutDir: true,
    target: 'chrome130',
    modulePreload: false,
    // One for the whole page: what is loaded later needs none of its own.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    rollupOptions: { treeshake, input: { index: at('app/shell/index.html') }, output: pageOutput },
  },
};

/** What a static host needs beside the page: a script that starts it, under a name of its own for each version, and the service worker. */
const siteScript = (name: string, file: string, format: 'es' | 'iife'): UserConfig => ({
  publicDir: false,
  build: {
    target: 'chrome130',
    modulePreload: { polyfill: false },
    rollupOptions: { input: { [name]: at(`app/site/${name}.ts`) }, output: { entryFileNames: file, format } },
  },
});
const siteStart = siteScript('start', 'assets/[name]-[hash].js', 'es');
const siteServiceWorker = siteScript('service-worker', '[name].js', 'iife');

/** The engine for programs in Node and for pages: plain modules with all that they need inside. */
const library: UserConfig = {
  publicDir: false,
  plugins: [kernels()],
  build: {
    target: 'es2023',
    minify: false,
    sourcemap: false,
    modulePreload: false,
    outDir: at('out/library'),
    license: { fileName: LICENCES },
    emptyOutDir: true,
    rollupOptions: {
      treeshake,
      external: [/^node:/],
      input: {
        index: at('app/library/index.ts'),
        'kernel-thread': at('app/library/kernel-thread.ts'),
        'hdf5-thread': at('app/library/hdf5-thread.ts'),
      },
      preserveEntrySignatures: 'strict',
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
};

export default { cli, library, main, preload, renderer, siteStart, siteServiceWorker };
