import type { GroupVersionKind, GroupVersionResource, KubeObject } from "@rookery/kube";
import type { UserInfo } from "../request/user.ts";

export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE";

/** What is about to happen to an object. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  /** "" for the object itself. */
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** As it will be; undefined for a deletion. */
  readonly object: KubeObject | undefined;
  /** As it is; undefined for a creation. */
  readonly oldObject: KubeObject | undefined;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions. */
  readonly options: object;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  /** Tells the client something beside its answer. */
  readonly warn: (text: string) => void;
  readonly signal: AbortSignal;
}

/** Changes or refuses what clients write. Refusing is throwing, a StatusError as a rule. */
export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: readonly AdmissionOperation[];
  /** Gives back the object as it shall be. */
  readonly mutate?: (attributes: AdmissionAttributes) => KubeObject | Promise<KubeObject>;
  readonly validate?: (attributes: AdmissionAttributes) => void | Promise<void>;
}

/** Lets each plugin change the object, in order. */
export async function mutateObject(
  plugins: readonly AdmissionPlugin[],
  attributes: AdmissionAttributes & { readonly object: KubeObject },
): Promise<KubeObject> {
  let { object } = attributes;
  for (const { operations, mutate } of plugins) {
    if (mutate && operations.includes(attributes.operation)) {
      object = await mutate({ ...attributes, object });
    }
  }
  return object;
}

/** Asks each plugin whether it may happen; the first that refuses decides. */
export async function validateAdmission(
  plugins: readonly AdmissionPlugin[],
  attributes: AdmissionAttributes,
): Promise<void> {
  for (const { operations, validate } of plugins) {
    if (validate && operations.includes(attributes.operation)) await validate(attributes);
  }
}
