import * as Comlink from 'comlink';

/**
 * The only way between threads. A service's interface is checked at compile time: every argument and
 * result must survive a structured clone, and callbacks must be plain event sinks. Casting a worker to
 * any interface one likes (Comlink.wrap's way) was rejected because nothing then keeps the promise.
 */
export type Cloneable =
  | undefined
  | null
  | boolean
  | number
  | string
  | ArrayBuffer
  | Float32Array
  | Int32Array
  | Uint16Array
  | Uint32Array
  | Uint8Array
  | Blob
  | File
  | MessagePort
  | readonly Cloneable[]
  | Map<string, Cloneable>
  | { readonly [key: string]: Cloneable };

/** Whether a type survives a structured clone. What is declared as Cloneable itself is taken at its word. */
export type Clones<T> = [Cloneable] extends [T] ? ([T] extends [Cloneable] ? true : false) : ClonesByField<T>;

/** Interfaces have no index signature, so they are judged field by field. */
type ClonesByField<T> = T extends void | Exclude<
  Cloneable,
  readonly Cloneable[] | Map<string, Cloneable> | { readonly [key: string]: Cloneable }
>
  ? true
  : T extends (...args: never[]) => unknown
    ? false
    : T extends readonly (infer E)[]
      ? Clones<E>
      : T extends Map<string, infer E>
        ? Clones<E>
        : T extends object
          ? false extends { [K in keyof T]-?: Clones<T[K]> }[keyof T]
            ? false
            : true
          : false;

type EventSink<A> = A extends (event: infer E) => void ? (false extends Clones<E> ? false : true) : false;
type Argument<A> = A extends (...args: never[]) => unknown ? EventSink<A> : false extends Clones<A> ? false : true;
type Arguments<A extends unknown[]> = false extends { [K in keyof A]: Argument<A[K]> }[number] ? false : true;

/** S itself if each of its methods can cross the edge; otherwise a type that names the method that cannot. */
export type Service<S> = {
  [K in keyof S]: S[K] extends (...args: infer A) => Promise<infer R>
    ? Arguments<A> extends false
      ? { 'an argument cannot be cloned': K }
      : Clones<Awaited<R>> extends true
        ? S[K]
        : { 'the result cannot be cloned': K }
    : { 'must be a method that returns a promise': K };
};

type Checked<S> = S extends Service<S> ? S : Service<S>;

export interface Endpoint {
  postMessage(message: unknown, transfer?: Transferable[]): void;
  addEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: object): void;
  removeEventListener(type: string, listener: EventListenerOrEventListenerObject, options?: object): void;
  start?: () => void;
}

/** Offers a service on this thread's global scope or on a port. */
export function serve<S extends object>(service: Checked<S>, endpoint?: MessagePort): void {
  Comlink.expose(answersLast(service), endpoint);
}

/**
 * The service, each call of which answers when its last event has been heard. Events go over a port of their own, and
 * nothing orders two ports: progress that came after the result would stay on the page for ever.
 */
function answersLast<S extends object>(service: S): S {
  return new Proxy(service, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function') return method;
      return async (...args: unknown[]): Promise<unknown> => {
        let heard: unknown;
        // What is given as a function is a proxy of Comlink, a call of which is over when the other end has heard it.
        const listened = args.map((arg) =>
          typeof arg === 'function' ? (event: unknown): unknown => (heard = arg(event)) : arg,
        );
        try {
          return await method.apply(target, listened);
        } finally {
          await Promise.allSettled([heard]);
        }
      };
    },
  });
}

/** The service at the other end. Callbacks are passed as Comlink proxies by `sink`. */
export function connect<S extends object>(endpoint: Endpoint): Remote<S> {
  return Comlink.wrap<S>(endpoint as Comlink.Endpoint) as unknown as Remote<S>;
}

/** The service's methods, callable from here, and a way to let the other end go. */
export type Remote<S> = { [K in keyof S]: S[K] } & { [Comlink.releaseProxy](): void };

/** An event callback that the other thread may call. */
export function sink<E>(callback: (event: E) => void): (event: E) => void {
  return Comlink.proxy(callback);
}

/** Marks buffers in a message as moved rather than copied. */
export const transferring = Comlink.transfer;
