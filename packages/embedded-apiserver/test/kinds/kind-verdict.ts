import type { ResourceRequest } from "@rookery/apiserver";
import { deepCopy, invalidError, type KubeObject, StatusError } from "@rookery/kube";
import type { BuiltInKind } from "../../src/kinds/declaration/kind.ts";
import type { StorageOptions } from "../../src/registry/storage-options.ts";
import { createStatusStrategy, createStrategy } from "../../src/registry/strategy.ts";
import type { Store } from "../../src/store/store.ts";
import { typedDecoder } from "../../src/types/typed-decoder.ts";

/** What a server says of an object. */
export type Verdict =
  | { readonly object: object; readonly warnings: readonly string[] }
  | { readonly refused: object };

export interface Judged {
  readonly object: object;
  /** What is stored; undefined for a new object. */
  readonly old: object | undefined;
  readonly status: boolean;
  /** Another subresource that is written as the status is. */
  readonly subresource?: string | undefined;
}

/** What the kind says of an object, in the order of a write: read, filled in, prepared, judged. */
export async function judgeLocally(builtIn: BuiltInKind, judged: Judged): Promise<Verdict> {
  const kind = withSubresource(builtIn, judged.subresource);
  try {
    const decode = typedDecoder(kind.goType, kind.defaults?.bind(kind));
    const object = decode(deepCopy(judged.object) as never).object as unknown as KubeObject;
    const old = judged.old as KubeObject | undefined;
    const prepared = prepare(kind, object, { old, status: judged.status });
    const warnings = judged.status ? [] : (kind.warnings?.(prepared, old) ?? []);
    const stored = deepCopy(prepared) as KubeObject;
    if (old === undefined) await kind.beforeCreate?.(stored);
    else if (!judged.status) await kind.beforeUpdate?.(stored, old);
    if (old === undefined) kind.afterDelete?.(stored);
    return { object: decode(stored as never).object, warnings };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const { code, reason, message, details } = error.status;
    return { refused: { code, reason, message, causes: details?.causes ?? [] } };
  }
}

function withSubresource(kind: BuiltInKind, name: string | undefined): BuiltInKind {
  const rules = name === undefined ? undefined : kind.subresources?.[name];
  return rules === undefined ? kind : { ...kind, status: rules };
}

function prepare(
  kind: BuiltInKind,
  object: KubeObject,
  { old, status }: { old: KubeObject | undefined; status: boolean },
): KubeObject {
  const options = storageOptions(kind);
  const strategy = createStrategy(options);
  const request = requestOf(kind, object);
  const change = old && { current: old, request };
  const { prepareForUpdate, validate } = status ? createStatusStrategy(options) : strategy;
  const prepared = change
    ? prepareForUpdate(object, change)
    : strategy.prepareForCreate(object, request);
  const problems = validate(prepared, old);
  if (problems.length === 0) return prepared;
  throw invalidError(storedKindOf(kind), prepared.metadata.name ?? "", problems);
}

/** Problems are told of the kind as it is stored. */
function storedKindOf({ group, kind, storedAs }: BuiltInKind) {
  return { group: storedAs?.resource.group ?? group, kind };
}

function requestOf({ group, plural }: BuiltInKind, { metadata }: KubeObject): ResourceRequest {
  const { namespace = "", name = "" } = metadata;
  const info = { verb: "update", group, apiGroup: group, resource: plural };
  return { namespace, name, info } as unknown as ResourceRequest;
}

function storageOptions(kind: BuiltInKind): StorageOptions {
  const { group, plural, version, namespaced } = kind;
  const apiVersion = group === "" ? version : `${group}/${version}`;
  return {
    store: undefined as unknown as Store,
    resource: { group, resource: plural },
    namespaced,
    now: () => new Date(),
    apiVersion,
    storageApiVersion: apiVersion,
    kind: kind.kind,
    listKind: `${kind.kind}List`,
    rules: kind,
  };
}
