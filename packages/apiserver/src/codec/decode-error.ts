import type { TypeMeta } from "@rookery/kube";

/** A body that can't be read as what it says it is. The message is Kubernetes' own. */
export class DecodeError extends Error {
  readonly code = "UndecodableBody";
  /** What the body says that it is, where that could be read. */
  readonly kind: TypeMeta | undefined;

  constructor(message: string, options?: ErrorOptions & { readonly kind?: TypeMeta }) {
    super(message, options);
    this.name = "DecodeError";
    this.kind = options?.kind;
  }
}
