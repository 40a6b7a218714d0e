import type { OwnerReference } from "./object/object.ts";

/** Messages are for people: they show the beginning of a long text. */
function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Text that does not follow its grammar: a quantity, a duration, a selector, an apiVersion. */
export class ParseError extends Error {
  readonly code = "InvalidFormat";
  /** What the text should have been, such as "quantity". */
  readonly noun: string;
  readonly input: string;
  /** Why it is not, in Kubernetes' (or Go's) own words. */
  readonly reason: string;

  constructor(noun: string, input: string, reason: string) {
    super(`could not parse ${noun} ${JSON.stringify(shortened(input))}: ${reason}`);
    this.name = "ParseError";
    this.noun = noun;
    this.input = input;
    this.reason = reason;
  }
}

/** A quantity that has no exact answer to what it is asked, or only an absurdly long one. */
export class QuantityError extends Error {
  readonly code = "QuantityOutOfRange";

  /** `operation` reads after "could not": a verb and the quantities. */
  constructor(operation: string, why: string) {
    super(`could not ${operation}: ${why}`);
    this.name = "QuantityError";
  }
}

/** A name that Kubernetes would refuse. */
export class InvalidNameError extends Error {
  readonly code = "InvalidName";
  /** What the name is of, such as "namespace". */
  readonly noun: string;
  readonly value: string;
  /** In Kubernetes' words. */
  readonly problems: readonly string[];

  constructor(noun: string, value: string, problems: readonly string[]) {
    super(`could not use ${noun} ${JSON.stringify(shortened(value))}: ${problems.join(", ")}`);
    this.name = "InvalidNameError";
    this.noun = noun;
    this.value = value;
    this.problems = problems;
  }
}

/** An object that another controller owns. */
export class AlreadyOwnedError extends Error {
  readonly code = "AlreadyOwned";
  /** The object's namespace and name. */
  readonly object: string;
  readonly owner: OwnerReference;

  constructor(object: string, owner: OwnerReference) {
    super(
      `could not own ${object}: it is already owned by another ${owner.kind} controller ${owner.name}`,
    );
    this.name = "AlreadyOwnedError";
    this.object = object;
    this.owner = owner;
  }
}

/** An owner in a namespace where the garbage collector does not look for it. */
export class OwnerNamespaceError extends Error {
  readonly code = "OwnerNamespace";
  readonly namespace: string;
  readonly ownerNamespace: string;

  constructor(object: string, namespace: string, ownerNamespace: string) {
    super(
      namespace === ""
        ? `could not own ${object}: cluster-scoped resource must not have a namespace-scoped owner, owner's namespace ${ownerNamespace}`
        : `could not own ${object}: cross-namespace owner references are disallowed, owner's namespace ${ownerNamespace}, obj's namespace ${namespace}`,
    );
    this.name = "OwnerNamespaceError";
    this.namespace = namespace;
    this.ownerNamespace = ownerNamespace;
  }
}

/** A patch that is malformed, or does not apply to the document. */
export class PatchError extends Error {
  readonly code = "InvalidPatch";
  /** In kube-apiserver's words. */
  readonly reason: string;
  /** The status that kube-apiserver answers with. */
  readonly httpStatus: 400 | 422 | 500;

  constructor(reason: string, httpStatus: 400 | 422 | 500) {
    super(`could not apply patch: ${reason}`);
    this.name = "PatchError";
    this.reason = reason;
    this.httpStatus = httpStatus;
  }
}

/** Bytes that are no Protobuf message. */
export class WireError extends Error {
  readonly code = "MalformedProtobuf";
  readonly reason: string;
  /** Where it was found, counted from the beginning of the message. */
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super(`could not read protobuf message: ${reason} at offset ${offset}`);
    this.name = "WireError";
    this.reason = reason;
    this.offset = offset;
  }
}

/** A watch stream that is cut off, or holds a frame that is too long. */
export class FrameError extends Error {
  readonly code = "MalformedFrame";

  constructor(reason: string) {
    super(`could not read frame: ${reason}`);
    this.name = "FrameError";
  }
}

/** The path of a request that no server reads. */
export class MalformedPathError extends Error {
  readonly code = "MalformedPath";
  readonly why: string;

  constructor(path: string, why: string) {
    super(`could not read the path ${JSON.stringify(shortened(path))}: ${why}`);
    this.name = "MalformedPathError";
    this.why = why;
  }
}
