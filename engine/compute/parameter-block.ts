/**
 * Parameter blocks: one description of what a kernel is given, from which follow the bytes that are sent, the struct and the
 * bindings of WGSL, and the class of AssemblyScript, so that they cannot disagree. All members have four bytes and lie in the
 * order of the description.
 *
 * An AssemblyScript file imports the class of a block by its name from the file that describes it; app/cli/bootstrap/kernels.mjs
 * makes the class from the text of the description, so members are literals there, or a constant that is spread.
 */
import type { FieldKinds } from './field.ts';

/** Numbers: `count` is an integer from 1 on, `u32` one from 0 on, `flag` 0 or 1; in AssemblyScript all three are i32, as indices are. */
export type ScalarKind = 'count' | 'flag' | 'u32' | 'i32' | 'f32';

/** Fields of an operator: an address in AssemblyScript, a binding in WGSL. */
type FieldKind = 'read real' | 'write real' | 'read index' | 'write index';

/** Numbers that belong to a prepared operator, as its parameters give them. */
type TableKind = 'real table' | 'index table';

/** Arrays of a kernel. */
type ArrayKind = FieldKind | TableKind;

/** Known to AssemblyScript alone: `pointer` is an address, `part` an integer that says how the work is divided. */
type PlaceKind = 'pointer' | 'part';

export type BlockMembers = Readonly<Record<string, ScalarKind | ArrayKind | PlaceKind>>;

type NamesOf<Members extends BlockMembers, Kind> = {
  [Name in keyof Members]: Members[Name] extends Kind ? Name : never;
}[keyof Members];

/** What a block is filled from: a number a member, flags as booleans or as 0 or 1. */
export type BlockValues<Members extends BlockMembers> = {
  readonly [Name in keyof Members]: Members[Name] extends 'flag' ? boolean | number : number;
};

/** The numbers of a block, by name: the parameters of a kernel on a GPU. */
export type ScalarsOf<Members extends BlockMembers> = Pick<BlockValues<Members>, NamesOf<Members, ScalarKind>>;

/** How the work on a block is divided, by name. */
export type PartsOf<Members extends BlockMembers> = Pick<BlockValues<Members>, NamesOf<Members, 'part'>>;

/** The tables of a block, by name; undefined for one that is not used. */
export type TablesOf<Members extends BlockMembers> = {
  readonly [Name in NamesOf<Members, TableKind>]: ArrayLike<number> | undefined;
};

/** The other arrays of a block, as fields of an operator. */
export type BlockFields<Members extends BlockMembers> = {
  readonly [Name in NamesOf<Members, FieldKind>]: Members[Name] extends `${string} index` ? 'index' : 'real';
};

/** A block that kernels on a GPU are given as a uniform buffer. */
export interface UniformBlock<Members extends BlockMembers> {
  readonly name: string;
  readonly members: Members;
  /** The block's struct: goes into the code of every kernel that binds the block. */
  readonly wgsl: string;
}

/** A block that kernels of AssemblyScript are given as well. */
export interface ParameterBlock<Members extends BlockMembers> extends UniformBlock<Members> {
  /** The arrays, as fields of an operator. */
  readonly fields: BlockFields<Members>;
  /** Bytes of the class. */
  readonly bytes: number;
  /** Writes values at an address of the class; those that are omitted stay. */
  write(memory: ArrayBufferLike, address: number, values: Partial<BlockValues<Members>>): void;
}

const MEMBER_BYTES = 4;
/** The size of a uniform binding is rounded up to this. */
const ALIGNMENT_BYTES = 16;

const WGSL_TYPES = { count: 'u32', flag: 'u32', u32: 'u32', i32: 'i32', f32: 'f32' } as const;

function isScalar(kind: string): kind is ScalarKind {
  return Object.hasOwn(WGSL_TYPES, kind);
}

function isArray(kind: string): kind is ArrayKind {
  return kind.includes(' ');
}

function scalarsOf(members: BlockMembers): readonly (readonly [string, ScalarKind])[] {
  return Object.entries(members).flatMap(([name, kind]) => (isScalar(kind) ? [[name, kind] as const] : []));
}

function put(view: DataView, offset: number, kind: string, value: number | boolean): void {
  if (kind === 'f32') view.setFloat32(offset, Number(value), true);
  else if (kind === 'i32') view.setInt32(offset, Number(value), true);
  else view.setUint32(offset, Number(value), true);
}

function structOf(name: string, members: BlockMembers): string {
  const lines = scalarsOf(members).map(([member, kind]) => `  ${member}: ${WGSL_TYPES[kind]},\n`);
  return `struct ${name} {\n${lines.join('')}}\n`;
}

/** @param name of the struct in WGSL */
export function uniformBlock<const Members extends Readonly<Record<string, ScalarKind>>>(
  name: string,
  members: Members,
): UniformBlock<Members> {
  return { name, members, wgsl: structOf(name, members) };
}

/** @param name of the class in AssemblyScript; the struct in WGSL is named `Parameters` */
export function parameterBlock<const Members extends BlockMembers>(
  name: string,
  members: Members,
): ParameterBlock<Members> {
  const places = new Map(Object.keys(members).map((member, index) => [member, MEMBER_BYTES * index]));
  const fields: FieldKinds = Object.fromEntries(
    arraysOf(members)
      .filter(([, kind]) => !kind.endsWith('table'))
      .map(([member, kind]) => [member, kind.endsWith('index') ? 'index' : 'real']),
  );
  return {
    name,
    members,
    wgsl: structOf('Parameters', members),
    fields: fields as BlockFields<Members>,
    bytes: MEMBER_BYTES * places.size,
    write(memory, address, values) {
      const view = new DataView(memory, address, MEMBER_BYTES * places.size);
      for (const [member, value] of Object.entries<number | boolean | undefined>(values)) {
        const place = places.get(member);
        if (place === undefined || value === undefined) throw new TypeError(`${name}: ${member} has no value or place`);
        put(view, place, members[member], value);
      }
    },
  };
}

/** @returns the numbers of a block, of an object that has them beside others */
export function scalarsFrom<Members extends BlockMembers>(
  { members }: UniformBlock<Members>,
  given: object,
): ScalarsOf<Members> {
  const values = given as Readonly<Record<string, number>>;
  return Object.fromEntries(scalarsOf(members).map(([name]) => [name, values[name]])) as ScalarsOf<Members>;
}

/** @returns the arrays of a block in their order, which is that of its bindings in WGSL */
export function arraysOf(members: BlockMembers): readonly (readonly [string, ArrayKind])[] {
  return Object.entries(members).flatMap(([name, kind]) => (isArray(kind) ? [[name, kind] as const] : []));
}

/** @returns the struct of a block and its bindings: 0 is `parameters`, then come the arrays by their names */
export function blockBindings({ wgsl, members }: UniformBlock<BlockMembers>): string {
  const arrays = arraysOf(members).map(([name, kind], index) => {
    const access = kind.startsWith('write') ? 'read_write' : 'read';
    const element = kind.includes('index') ? 'u32' : 'f32';
    return `@group(0) @binding(${index + 1}) var<storage, ${access}> ${name}: array<${element}>;\n`;
  });
  return `${wgsl}@group(0) @binding(0) var<uniform> parameters: Parameters;\n${arrays.join('')}`;
}

/** @returns the bytes of a uniform buffer */
export function uniformBytes<Members extends BlockMembers>(
  { name, members }: UniformBlock<Members>,
  values: ScalarsOf<Members>,
): ArrayBuffer {
  const scalars = scalarsOf(members);
  const data = new ArrayBuffer(Math.ceil((scalars.length * MEMBER_BYTES) / ALIGNMENT_BYTES) * ALIGNMENT_BYTES);
  const view = new DataView(data);
  const given: Readonly<Record<string, number | boolean | undefined>> = values;
  for (const [index, [member, kind]] of scalars.entries()) {
    const value = given[member];
    if (value === undefined) throw new TypeError(`${name}: ${member} has no value`);
    put(view, index * MEMBER_BYTES, kind, value);
  }
  return data;
}
