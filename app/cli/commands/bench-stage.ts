/** `shoal bench stage`: how many frames a second the stage draws on this machine's GPU, without a display; and what it drew. */
import { dirname, extname, resolve } from 'node:path';
import { formatTable } from '../table.ts';
import { createWebGpuBackend } from '../../../engine/index.ts';
import { disk, writeNamedFile } from '../../files/disk.ts';
import { digits } from '../bench/report.ts';
import type { StageSize, StageTimes } from '../bench/stage/draw.ts';
import { formatPng } from '../../files/png.ts';
import { EXIT, type CommonOptions, type Context, type ExitCode, UsageError } from '../context.ts';
import { assertWritable, jsonTarget, writeDocument } from '../targets.ts';
import { nodeGpu } from '../adapters.ts';
import { thisMachine, versionsOf } from '../installation.ts';
import { listenForInterruption } from '../run/progress.ts';
import { decideBackend } from '../select-backend.ts';

export interface BenchStageOptions extends CommonOptions {
  readonly quick?: boolean;
  /** The file of the picture. */
  readonly png?: string;
}

/** Size of the canvas, pixels: a window of usual size. */
const CANVAS = { width: 1280, height: 800 } as const;
const LOOKS = ['colour-mapped', 'photoreal'] as const;
const SIZES = [
  { cells: 256, views: 4 },
  { cells: 1024, views: 2 },
] as const;
const QUICK_SIZES = [{ cells: 64, views: 4 }] as const;
const QUICK_CANVAS = { width: 480, height: 300 } as const;
const LIMITS = { mostFrames: 600, mostMilliseconds: 5000 } as const;
const QUICK_LIMITS = { mostFrames: 4, mostMilliseconds: 2000 } as const;

const LOOK_NAMES: Readonly<Record<StageSize['look'], string>> = { 'colour-mapped': 'simple', photoreal: 'water' };

const COLUMNS = [
  'basin',
  'look',
  'views',
  'canvas',
  'frames',
  'frames a second',
  'best, ms',
  'median, ms',
  'host, ms',
] as const;

function cellsOf(times: StageTimes): string[] {
  const { cells, look, views, width, height, frames, framesPerSecond, least, median, hostMilliseconds } = times;
  const numbers = [framesPerSecond, least, median, hostMilliseconds].map(digits);
  return [`${cells} × ${cells}`, LOOK_NAMES[look], String(views), `${width} × ${height}`, String(frames), ...numbers];
}

/** The picture of one size and look: each has its own file. */
function pictureName(path: string, { cells, look }: Pick<StageTimes, 'cells' | 'look'>): string {
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}-${cells}-${LOOK_NAMES[look]}${extension}`;
}

async function writePicture(path: string, { width, height, picture }: StageTimes): Promise<void> {
  await disk.makeFolder(dirname(resolve(path)));
  await writeNamedFile(resolve(path), formatPng(width, height, picture));
}

/** @throws UsageError, BackendError, DeviceLostError */
export default async function benchStage(context: Context, options: BenchStageOptions): Promise<ExitCode> {
  const { terminal, installation } = context;
  const { quick = false, png } = options;
  if (png !== undefined && png !== '') await assertWritable(png, '--png');
  if (png === '') throw new UsageError('--png: the file’s name is empty');
  const target = jsonTarget(options.json);
  const sizes: readonly StageSize[] = (quick ? QUICK_SIZES : SIZES).flatMap((size) =>
    LOOKS.map((look) => ({ ...size, look, ...(quick ? QUICK_CANVAS : CANVAS) })),
  );
  const pictureOf = (size: StageSize): string | undefined => (png === undefined ? undefined : pictureName(png, size));
  for (const size of sizes) {
    const picture = pictureOf(size);
    if (picture !== undefined) await assertWritable(picture, '--png');
  }
  if (target?.kind === 'file') await assertWritable(target.path);
  const backing = await decideBackend('webgpu', context);
  if (backing.kind === 'done') return backing.exitCode;

  const stopping = new AbortController();
  const interruption = listenForInterruption(() => {
    terminal.warn('stopping …');
    stopping.abort();
  });
  const backend = await createWebGpuBackend(await nodeGpu());
  const all: StageTimes[] = [];
  try {
    // three, which nothing else here needs.
    const { timeStage } = await import('../bench/stage/draw.ts');
    for (const size of sizes) {
      const { cells, look } = size;
      terminal.note(`drawing a basin of ${cells} × ${cells} cells, ${LOOK_NAMES[look]} …`);
      const limits = quick ? QUICK_LIMITS : LIMITS;
      const timing = timeStage(backend, size, { ...limits, signal: stopping.signal });
      // What an impatient end leaves behind fails on the backend that is gone, unheard.
      timing.catch(() => undefined);
      const times = await Promise.race([timing, interruption.outOfPatience]);
      if (times === 'out-of-patience') break;
      all.push(times);
      const path = pictureOf(size);
      if (path === undefined) continue;
      await writePicture(path, times);
      terminal.note(`written: ${path}`);
    }
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  } finally {
    interruption.dispose();
    backend.dispose();
  }
  terminal.print(`stage, on ${backend.adapter}`);
  if (all.length > 0) terminal.print(formatTable(COLUMNS, all.map(cellsOf), { align: 'llr' }));
  if (stopping.signal.aborted) {
    terminal.warn(`stopped after ${all.length} of ${sizes.length} pictures${target ? '; no JSON was written' : ''}`);
    return EXIT.interrupted;
  }
  const document = {
    machine: { ...thisMachine(), versions: versionsOf(installation) },
    adapter: backend.adapter,
    stage: all.map(({ picture: _picture, ...times }) => times),
  };
  terminal.printJson(document);
  if (target?.kind === 'file') {
    await writeDocument(target.path, document);
    terminal.note(`written: ${target.path}`);
  }
  return EXIT.done;
}
