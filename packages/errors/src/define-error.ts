/** What a new error consists of: its message, its cause, and the fields of its class. */
export interface ErrorDetails extends ErrorOptions {
  readonly message: string;
}

/** The fields of a class of errors, without those that every error has. */
type FieldsOf<Details> = Details extends ErrorDetails
  ? { readonly [Key in keyof Details as Exclude<Key, keyof ErrorDetails>]: Details[Key] }
  : unknown;

type ErrorClass<Args extends unknown[], Code extends string, Details> = new (
  ...args: Args
) => Error & { readonly code: Code } & FieldsOf<Details>;

type Describe<Args extends unknown[]> = (...args: Args) => string | ErrorDetails;

/**
 * The base of a class of errors. `describe` turns the arguments of its constructor into the message,
 * or into the message, the cause and the fields; without it the constructor takes a message and
 * ErrorOptions.
 *
 *     class PortError extends defineError("PortInUse", (port: number, options?: ErrorOptions) => ({
 *       message: `could not listen on port ${port}: another process listens there`,
 *       port,
 *       ...options,
 *     })) {}
 *
 * A class with several codes leaves `code` out here, and `describe` returns it among the fields.
 */
export function defineError<const Code extends string>(
  code: Code,
): ErrorClass<[message: string, options?: ErrorOptions], Code, string>;
export function defineError<
  const Code extends string,
  Args extends unknown[],
  Details extends string | ErrorDetails,
>(code: Code, describe: (...args: Args) => Details): ErrorClass<Args, Code, Details>;
export function defineError<
  Args extends unknown[],
  Details extends ErrorDetails & { readonly code: string },
>(describe: (...args: Args) => Details): ErrorClass<Args, Details["code"], Details>;
export function defineError(first: string | Describe<never>, second?: Describe<never>): unknown {
  const describe = (typeof first === "string" ? second : first) ?? describeByMessage;
  const code = typeof first === "string" ? { code: first } : undefined;

  return class extends Error {
    constructor(...args: never) {
      const described = describe(...args);
      const details: ErrorDetails =
        typeof described === "string" ? { message: described } : described;
      super(details.message, details);
      const { message: _, cause: __, ...fields } = details;
      Object.assign(this, { name: new.target.name }, code, fields);
    }
  };
}

function describeByMessage(message: string, options?: ErrorOptions): ErrorDetails {
  return { message, ...options };
}
