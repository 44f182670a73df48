/** Colours of the scene that are not data: ground, bed, land, walls; in screen colours (sRGB, 0 … 1), for both themes. */
export interface ScenePalette {
  readonly background: readonly [number, number, number];
  readonly bed: readonly [number, number, number];
  readonly land: readonly [number, number, number];
  readonly earth: readonly [number, number, number];
  /** Water seen from the side, at its surface and at its foot. */
  readonly shallow: readonly [number, number, number];
  readonly deep: readonly [number, number, number];
  readonly wall: readonly [number, number, number];
  readonly rim: readonly [number, number, number];
  /** An observation that has no innovation here: in the view of the truth. */
  readonly neutral: readonly [number, number, number];
  readonly stem: readonly [number, number, number];
  readonly ink: string;
  readonly quiet: string;
}

const rgb = (hex: string): readonly [number, number, number] => [
  Number.parseInt(hex.slice(1, 3), 16) / 255,
  Number.parseInt(hex.slice(3, 5), 16) / 255,
  Number.parseInt(hex.slice(5, 7), 16) / 255,
];

export const PALETTES: Readonly<Record<'dark' | 'light', ScenePalette>> = {
  dark: {
    background: rgb('#0e1116'),
    bed: rgb('#4a5058'),
    land: rgb('#7d7564'),
    earth: rgb('#2c3138'),
    shallow: rgb('#3d7690'),
    deep: rgb('#132a3a'),
    wall: rgb('#1b222b'),
    rim: rgb('#465362'),
    neutral: rgb('#e6eaf0'),
    stem: rgb('#aab4bf'),
    ink: '#e6eaf0',
    quiet: '#9aa5b1',
  },
  light: {
    background: rgb('#f6f8fa'),
    bed: rgb('#a9aeb4'),
    land: rgb('#c2b89f'),
    earth: rgb('#b9bfc6'),
    shallow: rgb('#8fbdd0'),
    deep: rgb('#3f7590'),
    wall: rgb('#e3e8ed'),
    rim: rgb('#9aa6b3'),
    neutral: rgb('#ffffff'),
    stem: rgb('#4a5561'),
    ink: '#14181d',
    quiet: '#57616c',
  },
};
