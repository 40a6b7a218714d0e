import { type ErrorsOf, errorGuard } from "@rookery/errors";
import * as errors from "./errors.ts";

export type GroupSuffixError = ErrorsOf<typeof errors>;

export const isGroupSuffixError = errorGuard(errors);

/** The result of `read`; undefined where the input is not readable. */
export function ifReadable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isGroupSuffixError(error)) return undefined;
    throw error;
  }
}
