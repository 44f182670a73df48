import type { Plugin } from 'vite';

export const KERNEL_VARIANTS: readonly string[];
export function classesOf(file: string, source?: string): string;
export function kernelBinary(variant: string): Promise<Uint8Array>;
export function kernels(): Plugin;
