/** What is wrong with components or with what a spec asks of them. */
export type ProblemReason =
  | "OutsideNamespace"
  | "SeveralNamespaces"
  | "NoNamespace"
  | "UnsupportedKind"
  | "DuplicateObject"
  | "InvalidObject"
  | "AmbiguousContainer"
  | "ContainerNotFound"
  | "DeploymentNotFound"
  | "UnknownFlag"
  | "FieldWithoutFlag"
  | "AssumedFlag"
  | "InvalidValue"
  | "InvalidImage"
  | "PatchRefused"
  | "IgnoredField";

/** One thing that is wrong, in words for a condition. */
export interface Problem {
  readonly reason: ProblemReason;
  /** Names the object or the field, and the way out. */
  readonly message: string;
  /** The object that it is about, such as "Deployment capi-system/capi-controller-manager". */
  readonly object?: string;
  /** The field of the spec that it is about, such as "manager.webhook.host". */
  readonly field?: string;
}
