/**
 * Parameter blocks of kernels: words of four bytes in the order of a description, which is the order of the fields of the
 * AssemblyScript class of the same name.
 */

/** `i32` and `f32` are numbers, `pointer` is an address in the backend's memory (`usize` there). */
export type WordKind = 'i32' | 'f32' | 'pointer';

export type BlockMembers = Readonly<Record<string, WordKind>>;
export type BlockValues<Members extends BlockMembers> = { readonly [Name in keyof Members]: number };

export interface ParameterBlock<Members extends BlockMembers> {
  /** Of the class. */
  readonly name: string;
  readonly members: Members;
  readonly bytes: number;
  /** Writes values at an address; those that are left out stay. */
  write(memory: ArrayBufferLike, address: number, values: Partial<BlockValues<Members>>): void;
}

export function parameterBlock<const Members extends BlockMembers>(
  name: string,
  members: Members,
): ParameterBlock<Members> {
  const places = new Map(Object.keys(members).map((member, index) => [member, 4 * index]));
  return {
    name,
    members,
    bytes: 4 * places.size,
    write(memory, address, values) {
      const view = new DataView(memory, address, 4 * places.size);
      for (const [member, value] of Object.entries<number | undefined>(values)) {
        const place = places.get(member);
        if (place === undefined || value === undefined) throw new TypeError(`${name}: ${member} has no value or place`);
        if (members[member] === 'f32') view.setFloat32(place, value, true);
        else if (members[member] === 'i32') view.setInt32(place, value, true);
        else view.setUint32(place, value, true);
      }
    },
  };
}
