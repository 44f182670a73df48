/**
 * WebGPU on Linux. Chromium offers it there on few GPUs; a switch has it offered on the others, at the price of drivers that
 * Chromium has not approved. So the switch is not given by itself: where the page finds no GPU the person is asked, once, and
 * the answer is kept in the application's folder. Elsewhere Chromium knows best.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { disk } from '../files/disk.ts';

/** Chromium's name of the switch. */
export const OFFER_WEBGPU = 'enable-unsafe-webgpu';

/** What the person has answered; `in vain` where it was no help. */
type Answer = 'offer' | 'decline' | 'in vain';

export interface GraphicsParts {
  readonly platform: NodeJS.Platform;
  /** The application's own folder. */
  readonly folder: string;
  /** Whether the switch is on the command line. */
  readonly isOffered: () => boolean;
  /** Gives Chromium the switch; before the application is ready. */
  readonly offer: () => void;
  /** Asks whether to start again with the switch. */
  readonly ask: () => Promise<boolean>;
  readonly restart: () => void;
}

export interface Graphics {
  /** Before the application is ready: does what was answered in an earlier start. */
  readonly prepare: () => void;
  /** The page reports whether it found a GPU that is hardware. */
  readonly found: (isHardware: boolean) => Promise<void>;
}

export function createGraphics({ platform, folder, isOffered, offer, ask, restart }: GraphicsParts): Graphics {
  const path = join(folder, 'graphics.json');
  const read = (): Answer | undefined => {
    try {
      const { webgpu } = JSON.parse(readFileSync(path, 'utf8')) as { readonly webgpu?: unknown };
      return webgpu === 'offer' || webgpu === 'decline' || webgpu === 'in vain' ? webgpu : undefined;
    } catch {
      // None was given, or it is damaged: the person is asked again.
      return undefined;
    }
  };
  const keep = async (webgpu: Answer): Promise<void> => {
    mkdirSync(folder, { recursive: true });
    await disk.writeWhole(path, `${JSON.stringify({ webgpu })}\n`);
  };
  let isAsking = false;
  return {
    prepare() {
      if (platform === 'linux' && read() === 'offer') offer();
    },
    async found(isHardware) {
      if (platform !== 'linux' || isHardware || isAsking) return;
      const answer = read();
      if (answer === 'offer' && isOffered()) return keep('in vain');
      if (answer !== undefined || isOffered()) return;
      isAsking = true;
      const accepted = await ask();
      isAsking = false;
      await keep(accepted ? 'offer' : 'decline');
      if (accepted) restart();
    },
  };
}
