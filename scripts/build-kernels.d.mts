export const folder: string;
export function buildKernels(): Promise<void>;
