/**
 * No kernel breaks down over numbers that are not finite: a run that diverges is found by its reports. What could is looked for
 * in the compiled modules.
 */
import binaryen from 'assemblyscript/binaryen';
import { beforeAll, describe, expect, it } from 'vitest';
import { KERNEL_VARIANTS, kernelBinary } from '../../../../app/cli/bootstrap/kernels.mjs';

/** @returns how often each instruction that matches is in a module */
function found(text: string, instruction: RegExp): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [name] of text.matchAll(instruction)) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

describe.each(KERNEL_VARIANTS)('the kernels, %s', (variant) => {
  let text = '';
  beforeAll(async () => {
    const module = binaryen.readBinary(await kernelBinary(variant));
    text = module.emitText();
    module.dispose();
  });

  it('round to integers without breaking down if there is none', () => {
    expect(Object.keys(found(text, /\btrunc_sat_f\d+_[su]\b/g))).not.toEqual([]);
    expect(found(text, /\btrunc_f\d+_[su]\b/g)).toEqual({});
  });

  it('give up nowhere by themselves', () => expect(found(text, /\bunreachable\b/g)).toEqual({}));
});
