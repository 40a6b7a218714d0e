/** The typed key of a context value. */
export interface ContextKey<T> {
  readonly name: string;
  /** Never present at run time: carries `T` for the compiler. */
  readonly type?: T;
}

export function contextKey<T>(name: string): ContextKey<T> {
  return { name };
}

/**
 * Values of a request from interceptors and handlers: the peer, the user, the resource. Immutable;
 * `with` takes constant time.
 */
export class Context {
  readonly #parent: Context | undefined;
  readonly #key: ContextKey<unknown> | undefined;
  readonly #value: unknown;

  static readonly empty: Context = new Context(undefined, undefined, undefined);

  private constructor(
    parent: Context | undefined,
    key: ContextKey<unknown> | undefined,
    value: unknown,
  ) {
    this.#parent = parent;
    this.#key = key;
    this.#value = value;
  }

  with<T>(key: ContextKey<T>, value: T): Context {
    return new Context(this, key, value);
  }

  get<T>(key: ContextKey<T>): T | undefined {
    for (let context: Context | undefined = this; context; context = context.#parent) {
      if (context.#key === key) return context.#value as T;
    }
    return undefined;
  }
}
