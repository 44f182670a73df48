/** What runs in a page on a GPU before everything else. */
import { asHardware } from '../e2e/desktop/hardware.ts';
import { takesAny } from './hardware-chromium.ts';

/** SwiftShader says that it is a GPU where it is taken for one. */
export const beforeOnGpu: readonly (() => void)[] = takesAny ? [asHardware] : [];
