import { format, inRange, matches } from "../meta/checks.ts";
import { optional } from "../meta/combinators.ts";

const backsteps = "must not contain '..'";

/** The problems of a path that is absolute or leaves its folder. */
function descendingProblems(value: string): string[] {
  return [
    ...(value.startsWith("/") ? ["must be a relative path"] : []),
    ...(hasBacksteps(value) ? [backsteps] : []),
  ];
}

export function hasBacksteps(value: string): boolean {
  return value.split("/").includes("..");
}

/** Go: validatePathNoBacksteps. */
export const noBacksteps = matches((value) => !hasBacksteps(value), backsteps);

/** Go: validateLocalDescendingPath. */
export const descendingPath = format(descendingProblems);

/** Go: validateLocalNonReservedPath. Names that start with two dots are reserved. */
export const nonReservedPath = format((value) => {
  const isReserved = value.startsWith("..") && !value.startsWith("../");
  return [...descendingProblems(value), ...(isReserved ? ["must not start with '..'"] : [])];
});

/** The permissions of a file. */
export const fileMode = optional(
  inRange(0, 0o777, "must be a number between 0 and 0777 (octal), both inclusive"),
);
