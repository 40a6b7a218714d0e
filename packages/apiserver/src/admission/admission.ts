import type { GroupVersionKind, GroupVersionResource, KubeObject } from "@rookery/kube";
import type { Annotate } from "../pipeline/audit.ts";
import type { UserInfo } from "../request/user.ts";

export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** A pending change, as admission plugins see it. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  /** "" for the object itself. */
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The name in the path: "" for a POST. */
  readonly requestName?: string;
  /** The new object, or the options of a connection; undefined for a deletion. */
  readonly object: KubeObject | undefined;
  /** The current object; undefined for a creation. */
  readonly oldObject: KubeObject | undefined;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions. */
  readonly options: object;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  /** Sends a warning to the client. */
  readonly warn: (text: string) => void;
  /** Adds an annotation to the audit event. */
  readonly annotate: Annotate;
  readonly signal: AbortSignal;
  /** Decodes an object like a request body: prunes and defaults it. Throws a bad request. */
  readonly decode: (object: object) => KubeObject;
  /** For mutating plugins. */
  readonly reinvocation: Reinvocation;
}

/** Mutating plugins may request a second round, since later plugins may affect them. */
export interface Reinvocation {
  readonly isReinvocation: boolean;
  request(): void;
  /** State of plugins between the rounds. */
  readonly memory: Map<string, unknown>;
}

/** Changes or rejects writes. Rejections are thrown, usually as StatusErrors. */
export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: readonly AdmissionOperation[];
  /** Returns the mutated object. */
  readonly mutate?: (attributes: AdmissionAttributes) => KubeObject | Promise<KubeObject>;
  readonly validate?: (attributes: AdmissionAttributes) => void | Promise<void>;
}

type Attributes = Omit<AdmissionAttributes, "reinvocation">;

/** Runs the mutating plugins in order, twice if one requests it. */
export async function mutateObject(
  plugins: readonly AdmissionPlugin[],
  attributes: Attributes & { readonly object: KubeObject },
): Promise<KubeObject> {
  const memory = new Map<string, unknown>();
  let again = false;
  const request = () => {
    again = true;
  };
  const first = { isReinvocation: false, request, memory };
  const object = await mutateOnce(plugins, { ...attributes, reinvocation: first });
  if (!again) return object;
  const second = { ...first, isReinvocation: true };
  return mutateOnce(plugins, { ...attributes, object, reinvocation: second });
}

async function mutateOnce(
  plugins: readonly AdmissionPlugin[],
  attributes: AdmissionAttributes & { readonly object: KubeObject },
): Promise<KubeObject> {
  let current = attributes;
  for (const { operations, mutate } of plugins) {
    if (!mutate || !operations.includes(attributes.operation)) continue;
    const mutated = mutate(current);
    // Fast path: most plugins leave most objects unchanged, without a copy or a turn.
    const object = mutated instanceof Promise ? await mutated : mutated;
    if (object !== current.object) current = { ...current, object };
  }
  return current.object;
}

/** Runs the validating plugins; the first rejection is thrown. */
export async function validateAdmission(
  plugins: readonly AdmissionPlugin[],
  attributes: Attributes,
): Promise<void> {
  const reinvocation = { isReinvocation: false, request: () => {}, memory: new Map() };
  const current = { ...attributes, reinvocation };
  for (const { operations, validate } of plugins) {
    if (!validate || !operations.includes(attributes.operation)) continue;
    const validated = validate(current);
    if (validated instanceof Promise) await validated;
  }
}
