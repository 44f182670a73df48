/** @returns whether two objects have the same properties with the same values */
export function sameProperties(a: object, b: object): boolean {
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return (
    left.size === right.size && [...left].every(([key, value]) => right.has(key) && Object.is(right.get(key), value))
  );
}
