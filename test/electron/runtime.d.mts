export const FETCHED_VERSION: string;
export const canFetch: boolean;
export function fetchRuntime(): Promise<string>;
