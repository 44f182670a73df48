/**
 * Uniform blocks: one description of a block's members gives both the WGSL struct that kernels read it by and the bytes that
 * are sent, so that the two cannot disagree.
 */

const SCALARS = {
  u32: (view: DataView, offset: number, value: number) => view.setUint32(offset, value, true),
  i32: (view: DataView, offset: number, value: number) => view.setInt32(offset, value, true),
  f32: (view: DataView, offset: number, value: number) => view.setFloat32(offset, value, true),
} as const;

/** WGSL types of members: scalars, which lie in their order, four bytes each. */
export type UniformMembers = Readonly<Record<string, keyof typeof SCALARS>>;

export interface UniformBlock<Members extends UniformMembers> {
  readonly members: Members;
  /** The block's struct: goes into the code of every kernel that binds the block. */
  readonly wgsl: string;
}

/** What a block is filled from: a number a member, flags as 0 or 1. */
export type UniformValues<Members extends UniformMembers> = { readonly [Name in keyof Members]: number };

/** @param struct the name of the struct in WGSL */
export function uniformBlock<const Members extends UniformMembers>(
  struct: string,
  members: Members,
): UniformBlock<Members> {
  const lines = Object.entries(members).map(([name, type]) => `  ${name}: ${type},\n`);
  return { members, wgsl: `struct ${struct} {\n${lines.join('')}}\n` };
}

const MEMBER_BYTES = 4;
/** The size of a uniform binding is rounded up to this. */
const ALIGNMENT_BYTES = 16;

/** @returns the bytes of a block */
export function uniformBytes<Members extends UniformMembers>(
  { members }: UniformBlock<Members>,
  values: UniformValues<Members>,
): ArrayBuffer {
  const entries = Object.entries(members);
  const data = new ArrayBuffer(Math.ceil((entries.length * MEMBER_BYTES) / ALIGNMENT_BYTES) * ALIGNMENT_BYTES);
  const view = new DataView(data);
  entries.forEach(([name, type], index) => SCALARS[type](view, index * MEMBER_BYTES, values[name]));
  return data;
}
