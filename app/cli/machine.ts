/** The machine that a result comes from. */
import { availableParallelism, cpus, release, totalmem } from 'node:os';

export interface Machine {
  readonly system: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryBytes: number;
}

export function thisMachine(): Machine {
  return {
    system: `${process.platform} ${release()} ${process.arch}`,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
  };
}
