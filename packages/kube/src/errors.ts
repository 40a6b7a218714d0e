import { defineError } from "@rookery/errors";
import type { OwnerReference } from "./object/object.ts";

/** Messages show only the beginning of a long text. */
function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Text that does not follow its grammar: a quantity, a duration, a selector, an apiVersion. */
export class ParseError extends defineError(
  "InvalidFormat",
  (noun: string, input: string, reason: string) => ({
    message: `could not parse ${noun} ${JSON.stringify(shortened(input))}: ${reason}`,
    /** The expected form, such as "quantity". */
    noun,
    input,
    /** In Kubernetes' or Go's own words. */
    reason,
  }),
) {}

/**
 * A quantity operation without an exact result, or with an absurdly long one. `operation`
 * completes "could not": a verb and the quantities.
 */
export class QuantityError extends defineError(
  "QuantityOutOfRange",
  (operation: string, why: string) => `could not ${operation}: ${why}`,
) {}

/** A name that Kubernetes rejects. */
export class InvalidNameError extends defineError(
  "InvalidName",
  (noun: string, value: string, problems: readonly string[]) => ({
    message: `could not use ${noun} ${JSON.stringify(shortened(value))}: ${problems.join(", ")}`,
    /** The noun of the name, such as "namespace". */
    noun,
    value,
    /** In Kubernetes' words. */
    problems,
  }),
) {}

/** An object that another controller owns. */
export class AlreadyOwnedError extends defineError(
  "AlreadyOwned",
  (object: string, owner: OwnerReference) => ({
    message: `could not own ${object}: it is already owned by another ${owner.kind} controller ${owner.name}`,
    /** The object's namespace and name. */
    object,
    owner,
  }),
) {}

/** An owner in a namespace in which the garbage collector does not look for it. */
export class OwnerNamespaceError extends defineError(
  "OwnerNamespace",
  (object: string, namespace: string, ownerNamespace: string) => ({
    message:
      namespace === ""
        ? `could not own ${object}: cluster-scoped resource must not have a namespace-scoped owner, owner's namespace ${ownerNamespace}`
        : `could not own ${object}: cross-namespace owner references are disallowed, owner's namespace ${ownerNamespace}, obj's namespace ${namespace}`,
    namespace,
    ownerNamespace,
  }),
) {}

/** A patch that is malformed, or does not apply to the document. */
export class PatchError extends defineError(
  "InvalidPatch",
  (reason: string, httpStatus: 400 | 422 | 500) => ({
    message: `could not apply patch: ${reason}`,
    /** In kube-apiserver's words. */
    reason,
    /** As kube-apiserver answers. */
    httpStatus,
  }),
) {}

export class WireError extends defineError(
  "MalformedProtobuf",
  (reason: string, offset: number) => ({
    message: `could not read protobuf message: ${reason} at offset ${offset}`,
    reason,
    /** From the beginning of the message. */
    offset,
  }),
) {}

/** A watch stream that is truncated, or has a frame that is too long. */
export class FrameError extends defineError(
  "MalformedFrame",
  (reason: string) => `could not read frame: ${reason}`,
) {}

/** A request path that no server accepts. */
export class MalformedPathError extends defineError(
  "MalformedPath",
  (path: string, why: string) => ({
    message: `could not read the path ${JSON.stringify(shortened(path))}: ${why}`,
    why,
  }),
) {}
