import { defineError } from "@rookery/errors";
import type { TypeMeta } from "@rookery/kube";

/** An unreadable body. The message has Kubernetes' wording. */
export class DecodeError extends defineError(
  "UndecodableBody",
  (message: string, options?: ErrorOptions & { readonly kind?: TypeMeta }) => ({
    message,
    ...options,
    /** The type that the body declares, if readable. */
    kind: options?.kind,
  }),
) {}
