import {
  type GroupKind,
  keyBeside,
  type ObjectKey,
  type PartialObjectMetadata,
} from "@rookery/kube";

/** A reference of the contract v1beta2, which has an apiGroup, or of v1beta1, which has an apiVersion. */
export interface ContractReference {
  readonly apiGroup?: string;
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** Whether a reference of either contract names an object of a kind. */
export function refersTo(
  reference: ContractReference | undefined,
  { group, kind }: GroupKind,
): reference is ContractReference & { readonly name: string } {
  const named = reference?.apiGroup ?? reference?.apiVersion?.split("/")[0];
  return named === group && reference?.kind === kind && Boolean(reference.name);
}

/** The key of the object that a Cluster or Machine refers to, where it is of a kind. */
export function referredKeys(
  object: Pick<PartialObjectMetadata, "metadata">,
  reference: ContractReference | undefined,
  kind: GroupKind,
): ObjectKey[] {
  return refersTo(reference, kind) ? [keyBeside(object, reference.name)] : [];
}
