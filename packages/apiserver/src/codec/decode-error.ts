import { defineError } from "@rookery/errors";
import type { TypeMeta } from "@rookery/kube";

/** A body that can't be read as what it says it is. The message is Kubernetes' own. */
export class DecodeError extends defineError(
  "UndecodableBody",
  (message: string, options?: ErrorOptions & { readonly kind?: TypeMeta }) => ({
    message,
    ...options,
    /** What the body says that it is, where that could be read. */
    kind: options?.kind,
  }),
) {}
