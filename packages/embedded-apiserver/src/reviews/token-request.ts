import { randomUUID } from "node:crypto";
import type { BoundObjectReference, Pod, TokenRequestSpec } from "@rookery/api";
import type { CreateRequest } from "@rookery/apiserver";
import {
  badRequestError,
  type Clock,
  conflictError,
  FieldError,
  fieldPath,
  formatTime,
  type GroupResource,
  invalidError,
  type KubeObject,
  notFoundError,
  parseApiVersion,
  serviceAccountUser,
} from "@rookery/kube";
import type { ServiceAccountTokens } from "../authentication/service-account-tokens.ts";
import type { BoundClaims, ClaimReference } from "../authentication/token-subject.ts";
import type { Store } from "../store/store.ts";

export interface TokenRequestContext {
  readonly store: Store;
  readonly tokens: ServiceAccountTokens;
  readonly now: Clock;
}

const kind = { group: "authentication.k8s.io", kind: "TokenRequest" };
/** The kubelet's default: such tokens last a year, with a warning. */
const projectedSeconds = 3607;
const extendedSeconds = 365 * 24 * 60 * 60;

export function defaultTokenRequest(object: KubeObject): void {
  const request = object as { spec?: TokenRequestSpec };
  request.spec ??= {};
  request.spec.expirationSeconds ??= 3600;
}

/** Issues a token of a service account. Throws StatusErrors. */
export async function answerTokenRequest(
  { object, name, namespace }: Pick<CreateRequest, "object" | "name" | "namespace">,
  context: TokenRequestContext,
): Promise<KubeObject> {
  const account = accountOf(object, { name, namespace, store: context.store });
  const spec = { ...(object.spec as TokenRequestSpec) };
  if ((spec.audiences ?? []).length === 0) spec.audiences = [...context.tokens.audiences];
  assertValid(spec);
  const bound = spec.boundObjectRef
    ? boundTo(spec.boundObjectRef, { name, namespace, store: context.store })
    : {};
  const now = context.now();
  const token = await context.tokens.issue(claimsOf(account, { spec, bound, now, context }));
  const expires = new Date(now.getTime() + (spec.expirationSeconds ?? 0) * 1000);
  const { uid = "" } = account.metadata;
  const metadata = { ...object.metadata, name, namespace, uid, creationTimestamp: formatTime(now) };
  const status = { token, expirationTimestamp: formatTime(expires) };
  return { ...object, metadata, spec, status };
}

interface Place {
  readonly name: string;
  readonly namespace: string;
  readonly store: Store;
}

function accountOf({ metadata }: KubeObject, { name, namespace, store }: Place): KubeObject {
  for (const [field, value] of Object.entries({ name, namespace })) {
    const said = metadata[field as "name" | "namespace"] ?? "";
    if (said === "" || said === value) continue;
    const detail = `must match the service account ${field} if specified`;
    const problem = FieldError.invalid(fieldPath("metadata", field), said, detail);
    throw invalidError(kind, name, [problem]);
  }
  const account = objectAt({ group: "", resource: "serviceaccounts" }, { name, namespace, store });
  const { uid = "" } = account.metadata;
  if (metadata.uid && metadata.uid !== uid) {
    const why = `the UID in the token request (${metadata.uid}) does not match the UID of the service account (${uid})`;
    throw conflictError({ group: kind.group, resource: kind.kind }, name, why);
  }
  return account;
}

function objectAt(resource: GroupResource, { name, namespace, store }: Place): KubeObject {
  const entry = store.get({ resource: resource.resource, namespace, name });
  if (entry === undefined) throw notFoundError(resource, name);
  return entry.object;
}

function assertValid({ expirationSeconds = 0 }: TokenRequestSpec): void {
  const path = fieldPath("spec", "expirationSeconds");
  const problem = (detail: string) =>
    invalidError(kind, "", [FieldError.invalid(path, expirationSeconds, detail)]);
  if (expirationSeconds < 600) throw problem("may not specify a duration less than 10 minutes");
  if (expirationSeconds > 2 ** 32) {
    throw problem("may not specify a duration larger than 2^32 seconds");
  }
}

type Bound = Pick<BoundClaims["kubernetes.io"], "pod" | "secret" | "node">;

function boundTo(ref: BoundObjectReference, place: Place): Bound {
  const { group, version } = parseApiVersion(ref.apiVersion ?? "");
  const { name = "" } = ref;
  const at = { ...place, name };
  if (group === "" && ref.kind === "Pod") return boundToPod(ref, at, place.name);
  if (group === "" && ref.kind === "Node") {
    return { node: referenceTo(objectOf("nodes", { ...at, namespace: "" }), ref) };
  }
  if (group === "" && ref.kind === "Secret") {
    return { secret: referenceTo(objectOf("secrets", at), ref) };
  }
  const shown = `${group}/${version}, Kind=${ref.kind ?? ""}`;
  throw badRequestError(`cannot bind token to object of type ${shown}`);
}

function objectOf(resource: string, place: Place): KubeObject {
  return objectAt({ group: "", resource }, place);
}

function boundToPod(ref: BoundObjectReference, place: Place, account: string): Bound {
  const object = objectOf("pods", place);
  const { serviceAccountName, nodeName } = (object as Pod).spec ?? {};
  if (serviceAccountName !== account) {
    const why = "to pod running with different serviceaccount name.";
    throw badRequestError(`cannot bind token for serviceaccount "${account}" ${why}`);
  }
  const pod = referenceTo(object, ref);
  if (!nodeName) return { pod };
  const node = place.store.get({ resource: "nodes", namespace: "", name: nodeName });
  const { uid } = node?.object.metadata ?? {};
  return { pod, node: { name: nodeName, ...(uid && { uid }) } };
}

function referenceTo({ metadata }: KubeObject, ref: BoundObjectReference): ClaimReference {
  const { name = "", uid = "" } = metadata;
  if (ref.uid && ref.uid !== uid) {
    const why = `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    const { group } = parseApiVersion(ref.apiVersion ?? "");
    throw conflictError({ group, resource: ref.kind ?? "" }, name, why);
  }
  return { name, uid };
}

function claimsOf(
  { metadata: { name = "", namespace = "", uid = "" } }: KubeObject,
  how: { spec: TokenRequestSpec; bound: Bound; now: Date; context: TokenRequestContext },
): Omit<BoundClaims, "iss"> {
  const { expirationSeconds = 0, audiences = [] } = how.spec;
  const now = Math.floor(how.now.getTime() / 1000);
  const own = audiences.every((each) => how.context.tokens.audiences.includes(each));
  const isExtended = how.bound.pod !== undefined && own && expirationSeconds === projectedSeconds;
  return {
    aud: audiences,
    exp: now + (isExtended ? extendedSeconds : expirationSeconds),
    iat: now,
    jti: randomUUID(),
    "kubernetes.io": {
      namespace,
      ...how.bound,
      serviceaccount: { name, uid },
      ...(isExtended && { warnafter: now + expirationSeconds }),
    },
    nbf: now,
    sub: serviceAccountUser(namespace, name),
  };
}
