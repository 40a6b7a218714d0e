/** A kind is declared in a way that no API server would serve. A mistake in code, not in input. */
export class DeclarationError extends Error {
  override readonly name = "DeclarationError";
  readonly code = "InvalidDeclaration";

  constructor(kind: string, why: string) {
    super(`could not declare the kind ${kind}: ${why}`);
  }
}
