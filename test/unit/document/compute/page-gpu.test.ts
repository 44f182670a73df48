import { expect, it } from 'vitest';
import { findAdapter } from '../../../../app/document/compute/page-gpu.ts';

it('takes a browser that refuses its GPU for one without', async () => {
  const refusing = { requestAdapter: () => Promise.reject(new Error('blocked')) } as unknown as GPU;
  expect(await findAdapter(refusing)).toBeUndefined();
  expect(await findAdapter(undefined)).toBeUndefined();
});
