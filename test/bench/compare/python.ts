/** The Python of this machine: which one has the libraries, what is missing, and what a suite or another program says of a problem. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { z } from 'zod';

const execute = promisify(execFile);

const LIBRARIES = ['numpy', 'scipy', 'jax', 'cupy'] as const;
type Library = (typeof LIBRARIES)[number];

/** What adds a library. */
const ADDED_BY: Readonly<Record<Library, string>> = {
  numpy: 'apt-get install python3-numpy',
  scipy: 'apt-get install python3-scipy',
  jax: "pip install jax, with an NVIDIA GPU 'jax[cuda12]'",
  cupy: 'pip install cupy-cuda12x, for an NVIDIA GPU',
};

export interface Python {
  readonly command: string;
  readonly version: string;
  readonly libraries: Readonly<Record<Library, string | null>>;
}

const PROBE = `
import importlib.metadata as m, json, platform
def version(name):
    for package in (name, name + '-cuda12x', name + '-cuda13x', name + '-cuda11x'):
        try:
            return m.version(package)
        except m.PackageNotFoundError:
            pass
print(json.dumps({'version': platform.python_version(), 'libraries': {n: version(n) for n in ${JSON.stringify(LIBRARIES)}}}))
`;

const version = z.string().nullable();
const probeSchema = z.object({
  version: z.string(),
  libraries: z.object({ numpy: version, scipy: version, jax: version, cupy: version }),
});

async function probe(command: string): Promise<Python | undefined> {
  try {
    const { stdout } = await execute(command, ['-c', PROBE], { timeout: 30_000 });
    return { command, ...probeSchema.parse(JSON.parse(stdout)) };
  } catch {
    // Not there, too old for importlib.metadata, or not Python: no Python for this.
    return undefined;
  }
}

/**
 * @param candidates commands, the first choice first
 * @returns the first that has numpy and scipy, else the first with numpy, else the first that is there
 */
export async function findPython(candidates: readonly string[]): Promise<Python | undefined> {
  const found = (await Promise.all(candidates.map(probe))).filter((python) => python !== undefined);
  return (
    found.find(({ libraries }) => libraries.numpy !== null && libraries.scipy !== null) ??
    found.find(({ libraries }) => libraries.numpy !== null) ??
    found[0]
  );
}

/** @returns a line for each thing that would add rows to the table, and how to get it */
export function missingLines(python: Python | undefined): readonly string[] {
  if (!python) return ['missing: python3 (apt-get install python3-numpy python3-scipy); only Shoal was timed'];
  const { command, version: number, libraries } = python;
  return LIBRARIES.filter((library) => libraries[library] === null).map((library) => {
    const consequence = library === 'numpy' ? '; only Shoal was timed' : '';
    return `missing: ${library} for ${command}, Python ${number} (${ADDED_BY[library]})${consequence}`;
  });
}

const rowSchema = z.object({
  form: z.string(),
  note: z.string().nullable(),
  /** Null where a result is not a number. */
  difference: z.number().nullable().optional(),
  tolerance: z.number().optional(),
  milliseconds: z.number().positive().optional(),
  median: z.number().positive().optional(),
  runs: z.int().positive().optional(),
  failure: z.string().optional(),
});
const outputSchema = z.object({ versions: z.record(z.string(), z.string()), rows: z.array(rowSchema) });
/** What another program says of a form in which it solves a problem. */
export type ProgramRow = z.infer<typeof rowSchema>;

export interface ProgramOptions {
  /** That the program and its libraries may use. */
  readonly threads: number;
  /** The runs of a form take about this long together where one is quick. */
  readonly seconds: number;
  /** When to give up, without rows; never where it is undefined. */
  readonly patienceMilliseconds: number | undefined;
}

/**
 * @param command and its first arguments; the folder of a problem and the seconds follow
 * @throws Error with what the program said where it failed
 */
export async function runProgram(
  [command, ...words]: readonly [string, ...string[]],
  folder: string,
  { threads, seconds, patienceMilliseconds }: ProgramOptions,
): Promise<readonly ProgramRow[]> {
  try {
    const { stdout } = await execute(command, [...words, folder, String(seconds)], {
      env: { XLA_PYTHON_CLIENT_PREALLOCATE: 'false', ...process.env, ...limitedTo(threads) },
      maxBuffer: 2 ** 24,
      ...(patienceMilliseconds !== undefined && { timeout: Math.ceil(patienceMilliseconds) }),
    });
    return outputSchema.parse(JSON.parse(stdout)).rows;
  } catch (error) {
    const { stderr, killed } = error as { readonly stderr?: string; readonly killed?: boolean };
    if (killed && patienceMilliseconds !== undefined) return [];
    const said = stderr?.trim().split('\n').at(-1);
    throw new Error(
      `${words[0] ?? command} failed: ${said || (error instanceof Error ? error.message : String(error))}`,
      {
        cause: error,
      },
    );
  }
}

function limitedTo(threads: number): Record<string, string> {
  const names = ['OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS'];
  return Object.fromEntries(names.map((name) => [name, String(threads)]));
}
