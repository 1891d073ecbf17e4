import { withShortValues } from './excerpt.ts';

/** Where in an input something went wrong; every field that is known is filled in. */
export interface Where {
  file?: string;
  /** 1-based line of a text file. */
  line?: number;
  /** 0-based byte of a binary file. */
  byte?: number;
  /** 1-based ply of a game. */
  ply?: number;
  /** 1-based character of a formula. */
  character?: number;
}

/** An error that came from input: a stable code for programs, a sentence for people. */
export interface Failure {
  code: string;
  /** What was wrong, where, and what to do about it, in one sentence or two. */
  message: string;
  where?: Where;
}

/** Errors from input are values; bugs throw. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: Failure };

export function ok<T>(value: T): Result<T> {
  return { ok: true, value };
}

/** A failure; what its message quotes of the input is cut to a length that can be read. */
export function fail(code: string, long: string, where?: Where): { ok: false; error: Failure } {
  const message = withShortValues(long);
  return { ok: false, error: where ? { code, message, where } : { code, message } };
}

/** The exception that carries a Failure inside streams, workers and commands, whose edges turn it into a value or words. */
export class InputError extends Error {
  override readonly name = 'InputError';
  constructor(readonly failure: Failure) {
    super(failure.message);
  }
}

/** The exception of a failure that begins here, to be thrown; `unwrap` throws one that a function returned. */
export function inputError(code: string, message: string, where?: Where): InputError {
  return new InputError(fail(code, message, where).error);
}

/** The value, or an InputError with the failure. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new InputError(result.error);
}

const MISTAKE =
  /^(?:Cannot (?:read|set) propert|Cannot access)|(?:is not (?:a function|defined|iterable|a constructor)|out of range|stack size exceeded)/;

/** The failure an exception carries; one that is no InputError is a bug and is told as one. */
export function failureOf(error: unknown): Failure {
  if (error instanceof InputError) return error.failure;
  // Exceptions that crossed a worker's edge have lost their class but not their name and fields.
  if (error instanceof Error && 'failure' in error) return error.failure as Failure;
  if (error instanceof Error && error.name === 'SecurityError')
    return {
      code: 'denied',
      message:
        'This browser denies the page its storage: it stands in the frame of another site, perhaps, or a setting blocks what sites keep. Open it in a tab of its own, or allow it to keep its data.',
    };
  // What the engine says of a mistake in the program ("Cannot read properties of undefined") helps nobody who reads games.
  if (error instanceof Error && MISTAKE.test(error.message))
    return {
      code: 'unexpected',
      message: `Something went wrong in the lab itself (${error.name}). Nothing that was stored is lost; try again, and report it with what you gave it where it happens twice.`,
    };
  return { code: 'unexpected', message: wordsOf(error) };
}

/** What anything that was thrown says. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
