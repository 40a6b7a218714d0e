/** An owner of a kind that nobody serves: whether it is there can't be known. */
export class UnservedKindError extends Error {
  readonly code = "UnservedKind";

  constructor(apiVersion: string, kind: string) {
    super(`could not look for an owner: ${kind} of ${apiVersion} is not served`);
    this.name = "UnservedKindError";
  }
}
