import { describe, expect, it } from 'vitest';
import { observedVariable } from '../../../../engine/operators/observation/index.ts';

describe('observed variables', () => {
  it('are found by name and by code', () => {
    for (const name of ['h', 'eta', 'hu', 'hv', 'u', 'v', 'speed', 'state0', 'state17']) {
      expect(observedVariable(observedVariable(name).code).name).toBe(name);
    }
  });

  it('refuse what nobody can observe', () => {
    for (const name of ['vorticity', 'state', 'state-1', 'state256', -1, 0.5, 4000]) {
      expect(() => observedVariable(name)).toThrow(/not an observed variable; use one of h, eta/);
    }
  });
});
