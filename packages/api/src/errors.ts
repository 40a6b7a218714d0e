import { defineError } from "@rookery/errors";

/** A kind is declared in a way that no API server would serve. A mistake in code, not in input. */
export class DeclarationError extends defineError(
  "InvalidDeclaration",
  (kind: string, why: string) => `could not declare the kind ${kind}: ${why}`,
) {}
