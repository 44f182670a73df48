import { largestAmplification } from '../von-neumann.ts';
import type { LinearFlow } from '../von-neumann.ts';
import type { Measurement } from '../../../../engine/check/measures.ts';
import { verificationCase } from '../../../../engine/check/shallow-water/cases.ts';

/** H = 1 m, g = 9.8 m/s², dx = dy = 1 m: the steps, and Moler's max|G| computed independently (numpy) from its formula. */
const MOLER: readonly (readonly [timeStep: number, amplification: number])[] = [
  [0.02, 1.00025],
  [0.05, 1.00156],
  [0.1, 1.00675],
  [0.15, 1.0174],
  [0.2, 1.03952],
];
const WAVE_SPEED = Math.sqrt(9.8);
/** What the impulses of the symbol leave: rounding over their height, and far below what a thousand steps would show. */
const ROUNDING = 1e-9;

/** |G| above 1, of the fastest growing of 81 × 81 waves. */
async function growth(what: string, flow: LinearFlow): Promise<Measurement> {
  return { what: `${what}: max|G| − 1`, value: (await largestAmplification(flow)) - 1, bar: { atMost: ROUNDING } };
}

/** Richtmyer's scheme at the same steps, at its limit C = 1/√2, and there on water that flows half as fast as its waves. */
async function ofRichtmyer(): Promise<Measurement[]> {
  const rows: Measurement[] = [];
  for (const [timeStep] of MOLER)
    rows.push(await growth(`richtmyer, dt ${timeStep} s`, { scheme: 'richtmyer', timeStep }));
  const limit = Math.SQRT1_2;
  rows.push(
    await growth('richtmyer, C = 1/√2, at rest', { scheme: 'richtmyer', timeStep: limit / WAVE_SPEED }),
    await growth('richtmyer, C = 1/√2, flowing askew', {
      scheme: 'richtmyer',
      timeStep: limit / (1.5 * WAVE_SPEED),
      velocity: [0.5 * WAVE_SPEED, 0.5 * WAVE_SPEED],
    }),
    await growth('richtmyer, cells of 1 m × 2 m, C = 1/√2', {
      scheme: 'richtmyer',
      timeStep: limit / WAVE_SPEED,
      dy: 2,
    }),
  );
  return rows;
}

/** Stability of small waves, for the schemes that are linear in them. */
export const vonNeumann = verificationCase(
  'V12 von Neumann',
  async () => {
    const rows = await ofRichtmyer();
    for (const [timeStep, expected] of MOLER) {
      const found = await largestAmplification({ scheme: 'lax-wendroff', timeStep });
      rows.push({
        what: `lax-wendroff, dt ${timeStep} s: max|G| ${found.toFixed(5)}, from ${expected}`,
        value: Math.abs(found - expected),
        bar: { atMost: 5.1e-6 },
      });
    }
    return rows;
  },
  { coarse: undefined, full: undefined },
);
