type InstanceOf<Class> = Class extends abstract new (
  ...args: never
) => infer Instance
  ? Instance
  : never;

/** The union of all errors that a module exports: `ErrorsOf<typeof import("./errors.ts")>`. */
export type ErrorsOf<Module> = Extract<InstanceOf<Module[keyof Module]>, Error>;

/**
 * A guard for the errors that a module exports (`import * as errors from "./errors.ts"`). Behind it a
 * `switch` over `error.code` without a default does not compile before it has a case for each code.
 */
export function errorGuard<Module extends object>(
  module: Module,
): (error: unknown) => error is ErrorsOf<Module> {
  const classes = Object.values(module).filter(isErrorClass);
  return (error): error is ErrorsOf<Module> => classes.some((known) => error instanceof known);
}

function isErrorClass(value: unknown): value is new (...args: never) => Error {
  return typeof value === "function" && value.prototype instanceof Error;
}
