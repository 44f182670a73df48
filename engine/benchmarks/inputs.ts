/** Inputs that are the same in every process: numbers of no meaning, and smooth fields. */

/** @returns numbers on [−scale, scale) by a linear congruence, whose quality is enough to keep data from being special */
export function someNumbers(length: number, scale: number, seed: number): Float64Array {
  const numbers = new Float64Array(length);
  let state = seed >>> 0;
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    numbers[i] = scale * (state / 2 ** 31 - 1);
  }
  return numbers;
}

/** @returns members of a smooth ensemble on n × n cells, [member][y][x] */
export function smoothEnsemble(n: number, members: number): Float64Array {
  const ensemble = new Float64Array(members * n * n);
  for (let member = 0; member < members; member++) {
    const [a, p, b, q, c, r] = someNumbers(6, 1, member + 1);
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++) {
        ensemble[(member * n + j) * n + i] =
          a * Math.sin(0.1 * i + 6 * p) + b * Math.cos(0.13 * j + 6 * q) + c * Math.sin(0.07 * (i + j) + 6 * r);
      }
    }
  }
  return ensemble;
}

/** @returns h, hu, hv of members at rest with a low mound each, [member][variable][y][x], h about 1 */
export function mounds(n: number, members: number, stillLevel: number): Float64Array {
  const cells = n * n;
  const state = new Float64Array(3 * cells * members);
  const width = n / 8;
  for (let member = 0; member < members; member++) {
    const x = n / 2 + (member % 7) - 3;
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++) {
        const distance = ((i - x) / width) ** 2 + ((j - n / 3) / width) ** 2;
        state[3 * cells * member + j * n + i] = stillLevel + 0.1 * Math.exp(-distance);
      }
    }
  }
  return state;
}
