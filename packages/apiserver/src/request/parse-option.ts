import { badRequestError, ParseError } from "@rookery/kube";

/** Parses an option of a query. Throws a bad request, with the reason, for an unreadable one. */
export function parseOption<T>(parse: () => T, prefix = ""): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof ParseError ? badRequestError(`${prefix}${error.reason}`) : error;
  }
}
