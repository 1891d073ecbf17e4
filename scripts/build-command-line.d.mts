export function buildCommandLine(): Promise<void>;
export function commandLineProgram(): Promise<string>;
