/** The schemes of the shallow-water model, as a user chooses among them. Their numerics are in the folders beside this file. */

interface SchemeFacts {
  /** One line for the settings. */
  readonly help: string;
  /** Whether it knows a flat bottom only, without Coriolis force, friction or dry cells. */
  readonly flatBottom: boolean;
  /** Planes that it works with on the host, for the truth and for the members alike; on a GPU it needs none. */
  readonly hostPlanes: number;
}

export const SCHEMES = {
  'lax-wendroff': {
    help: 'Moler’s, half steps on faces, for reproduction: it amplifies diagonal waves at every time step, by C²/(16·(1 − C²)) a step, and is of first order along diagonals; flat bottom',
    flatBottom: true,
    hostPlanes: 10,
  },
  richtmyer: {
    help: 'its stable relative, half steps at corners: second order in every direction, stable to a Courant number of 1/√2; flat bottom',
    flatBottom: true,
    hostPlanes: 12,
  },
  'central-upwind': {
    help: 'second order, well balanced, with bottom, dry land, Coriolis force and friction',
    flatBottom: false,
    hostPlanes: 21,
  },
} as const satisfies Readonly<Record<string, SchemeFacts>>;

export type Scheme = keyof typeof SCHEMES;

export const SCHEME_NAMES = Object.keys(SCHEMES) as [Scheme, ...Scheme[]];
