import type { GroupVersionKind, GroupVersionResource, KubeObject } from "@rookery/kube";
import type { Annotate } from "../pipeline/audit.ts";
import type { UserInfo } from "../request/user.ts";

export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** What is about to happen to an object. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  /** "" for the object itself. */
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The name in the path: "" for a new object that is posted, not for one that is applied or put. */
  readonly requestName?: string;
  /** As it will be, or the options of a connection; undefined for a deletion. */
  readonly object: KubeObject | undefined;
  /** As it is; undefined for a creation. */
  readonly oldObject: KubeObject | undefined;
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions. */
  readonly options: object;
  readonly dryRun: boolean;
  readonly user: UserInfo;
  /** Tells the client something beside its answer. */
  readonly warn: (text: string) => void;
  /** Adds to what an audit log is told of the request. */
  readonly annotate: Annotate;
  readonly signal: AbortSignal;
  /**
   * Reads an object that a plugin got from elsewhere as if it came in a body: only fields that its
   * kind has, with defaults. Throws a bad request.
   */
  readonly decode: (object: object) => KubeObject;
  /** Of the plugins that mutate. */
  readonly reinvocation: Reinvocation;
}

/** Plugins that mutate are asked once more where one wants it: what comes later may concern them. */
export interface Reinvocation {
  /** Whether this is the second round. */
  readonly isReinvocation: boolean;
  /** Asks for a second round. */
  request(): void;
  /** What a plugin remembers from one round to the next. */
  readonly memory: Map<string, unknown>;
}

/** Changes or refuses what clients write. Refusing is throwing, a StatusError as a rule. */
export interface AdmissionPlugin {
  readonly name: string;
  readonly operations: readonly AdmissionOperation[];
  /** Gives back the object as it shall be. */
  readonly mutate?: (attributes: AdmissionAttributes) => KubeObject | Promise<KubeObject>;
  readonly validate?: (attributes: AdmissionAttributes) => void | Promise<void>;
}

type Attributes = Omit<AdmissionAttributes, "reinvocation">;

/** Lets each plugin change the object, in order; twice where one of them asks for it. */
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
  let told = attributes;
  for (const { operations, mutate } of plugins) {
    if (!mutate || !operations.includes(attributes.operation)) continue;
    const mutated = mutate(told);
    // Most plugins have nothing to say of most objects: they cost neither a copy nor a turn.
    const object = mutated instanceof Promise ? await mutated : mutated;
    if (object !== told.object) told = { ...told, object };
  }
  return told.object;
}

/** Asks each plugin whether it may happen; the first that refuses decides. */
export async function validateAdmission(
  plugins: readonly AdmissionPlugin[],
  attributes: Attributes,
): Promise<void> {
  const reinvocation = { isReinvocation: false, request: () => {}, memory: new Map() };
  const told = { ...attributes, reinvocation };
  for (const { operations, validate } of plugins) {
    if (!validate || !operations.includes(attributes.operation)) continue;
    const validated = validate(told);
    if (validated instanceof Promise) await validated;
  }
}
