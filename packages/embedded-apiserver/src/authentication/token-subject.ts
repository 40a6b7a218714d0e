import { timingSafeEqual } from "node:crypto";
import type { Secret } from "@rookery/api";
import type { UserInfo } from "@rookery/apiserver";
import { type KubeObject, notFoundError, serviceAccountUser } from "@rookery/kube";
import { TokenError } from "../errors.ts";
import type { Store } from "../store/store.ts";

/** An object that a token is bound to. */
export interface ClaimReference {
  readonly name: string;
  readonly uid?: string;
}

/** The payload of a token from a TokenRequest. */
export interface BoundClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly nbf: number;
  readonly jti: string;
  readonly "kubernetes.io": {
    readonly namespace: string;
    readonly serviceaccount: ClaimReference;
    readonly pod?: ClaimReference;
    readonly secret?: ClaimReference;
    readonly node?: ClaimReference;
    readonly warnafter?: number;
  };
}

/** The payload of a token in a Secret. It does not expire. */
export interface LegacyClaims {
  readonly iss: string;
  readonly sub: string;
  readonly "kubernetes.io/serviceaccount/namespace": string;
  readonly "kubernetes.io/serviceaccount/secret.name": string;
  readonly "kubernetes.io/serviceaccount/service-account.name": string;
  readonly "kubernetes.io/serviceaccount/service-account.uid": string;
}

/** The issuer of tokens in Secrets. */
export const legacyIssuer = "kubernetes/serviceaccount";

/** Tolerated clock skew. */
const leewayMs = 60_000;
const credentialId = "authentication.kubernetes.io/credential-id";

/** The user of a token. Throws a TokenError if an object it is bound to is gone. */
export function subjectOfBoundClaims(claims: BoundClaims, store: Store, now: Date): UserInfo {
  assertInTime(claims, now.getTime());
  const { namespace, serviceaccount, secret, pod, node } = claims["kubernetes.io"];
  assertServiceAccount(serviceaccount, { namespace, store, now });
  if (secret) assertBound("secret", secret, { namespace, store, now });
  if (pod) assertBound("pod", pod, { namespace, store, now });
  else if (node) assertBound("node", node, { namespace: "", store, now });
  const extra = {
    ...(claims.jti && { [credentialId]: [`JTI=${claims.jti}`] }),
    ...(node?.name && { "authentication.kubernetes.io/node-name": [node.name] }),
    ...(node?.uid && { "authentication.kubernetes.io/node-uid": [node.uid] }),
    ...(pod?.name && { "authentication.kubernetes.io/pod-name": [pod.name] }),
    ...(pod?.uid && { "authentication.kubernetes.io/pod-uid": [pod.uid] }),
  };
  return userOf(namespace, serviceaccount, extra);
}

function assertInTime({ nbf, exp, iat }: BoundClaims, now: number): void {
  if (now + leewayMs < nbf * 1000) throw new TokenError("service account token is not valid yet");
  if (now - leewayMs > exp * 1000) throw new TokenError("service account token has expired");
  if (now + leewayMs < iat * 1000) {
    throw new TokenError("service account token is issued in the future");
  }
}

interface Place {
  readonly namespace: string;
  readonly store: Store;
  readonly now: Date;
}

function assertServiceAccount({ name, uid = "" }: ClaimReference, place: Place): void {
  const { namespace, store } = place;
  const { metadata } = serviceAccountAt(store, namespace, name);
  if (metadata.uid !== uid) {
    const why = `service account UID (${metadata.uid}) does not match claim (${uid})`;
    throw new TokenError(why);
  }
  if (isLongDeleted(metadata, place.now)) {
    throw new TokenError(`service account ${namespace}/${name} has been deleted`);
  }
}

function serviceAccountAt(store: Store, namespace: string, name: string): KubeObject {
  const account = store.get({ resource: "serviceaccounts", namespace, name });
  if (account !== undefined) return account.object;
  const cause = notFoundError({ group: "", resource: "serviceaccounts" }, name);
  throw new TokenError(cause.message, { cause });
}

function assertBound(kind: string, { name, uid = "" }: ClaimReference, place: Place): void {
  const { namespace, store, now } = place;
  const bound = store.get({ resource: `${kind}s`, namespace, name })?.object;
  if (bound === undefined) throw new TokenError("service account token has been invalidated");
  const { metadata } = bound;
  if (metadata.uid !== uid) {
    const why = `does not match service account ${kind} ref claim (${uid})`;
    throw new TokenError(`${kind} UID (${metadata.uid}) ${why}`);
  }
  if (isLongDeleted(metadata, now)) {
    throw new TokenError("service account token has been invalidated");
  }
}

function isLongDeleted({ deletionTimestamp }: KubeObject["metadata"], now: Date): boolean {
  return (
    deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < now.getTime() - leewayMs
  );
}

/** The user of a token in a Secret. Throws a TokenError if the Secret is gone. */
export function subjectOfLegacyClaims(claims: LegacyClaims, token: string, store: Store): UserInfo {
  const { namespace, secretName, name, uid } = legacyPartsOf(claims);
  if (claims.sub !== serviceAccountUser(namespace, name))
    throw new TokenError("sub claim is invalid");
  const entry = store.get({ resource: "secrets", namespace, name: secretName });
  const secret = entry?.object as Secret | undefined;
  if (secret === undefined || secret.metadata?.deletionTimestamp !== undefined) {
    throw new TokenError("Token has been invalidated");
  }
  if (!isSameToken(secret.data?.token ?? "", token)) {
    throw new TokenError("Token does not match server's copy");
  }
  const { metadata } = serviceAccountAt(store, namespace, name);
  if (metadata.deletionTimestamp !== undefined) {
    throw new TokenError(`ServiceAccount ${namespace}/${name} has been deleted`);
  }
  if (metadata.uid !== uid) {
    throw new TokenError(`ServiceAccount UID (${metadata.uid}) does not match claim (${uid})`);
  }
  return userOf(namespace, { name, uid }, {});
}

function legacyPartsOf(claims: LegacyClaims) {
  const prefix = "kubernetes.io/serviceaccount";
  const named = {
    sub: claims.sub,
    namespace: claims[`${prefix}/namespace`],
    secretName: claims[`${prefix}/secret.name`],
    serviceAccountName: claims[`${prefix}/service-account.name`],
    serviceAccountUID: claims[`${prefix}/service-account.uid`],
  };
  for (const [claim, value] of Object.entries(named)) {
    if (!value) throw new TokenError(`${claim} claim is missing`);
  }
  const { namespace, secretName, serviceAccountName: name, serviceAccountUID: uid } = named;
  return { namespace, secretName, name, uid };
}

function isSameToken(encoded: string, token: string): boolean {
  const kept = Buffer.from(encoded, "base64");
  const shown = Buffer.from(token);
  return kept.length === shown.length && timingSafeEqual(kept, shown);
}

function userOf(
  namespace: string,
  { name, uid = "" }: ClaimReference,
  extra: Readonly<Record<string, readonly string[]>>,
): UserInfo {
  return {
    name: serviceAccountUser(namespace, name),
    uid,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
    ...(Object.keys(extra).length > 0 && { extra }),
  };
}
