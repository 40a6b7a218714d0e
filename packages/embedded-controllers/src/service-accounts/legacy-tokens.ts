import type { Secret } from "@rookery/api";
import type { StoreEntry, StoreReader } from "@rookery/kube";
import { builtInResources, type KubeObject, serviceAccountUser } from "@rookery/kube";
import { type Controller, requestForEntry } from "@rookery/runtime";
import { type ControllerContext, fieldManager } from "../context/context.ts";
import { createStoreController } from "../context/store-controller.ts";

const nameKey = "kubernetes.io/service-account.name";
const uidKey = "kubernetes.io/service-account.uid";

/** Issues the tokens that Secrets contain. They do not expire. */
export interface LegacyTokenIssuer {
  issueLegacy(claims: {
    readonly sub: string;
    readonly "kubernetes.io/serviceaccount/namespace": string;
    readonly "kubernetes.io/serviceaccount/secret.name": string;
    readonly "kubernetes.io/serviceaccount/service-account.name": string;
    readonly "kubernetes.io/serviceaccount/service-account.uid": string;
  }): Promise<string>;
}

export interface LegacyTokenOptions {
  readonly tokens: LegacyTokenIssuer;
  readonly rootCa: () => string;
}

/** Fills Secrets of the type of service account tokens, and deletes those without an account. */
export function createLegacyTokenController(
  context: ControllerContext,
  options: LegacyTokenOptions,
): Controller {
  const { store, client } = context;
  return createStoreController(context, {
    name: "tokens-controller",
    watches: {
      secrets: (entry) => (isToken(entry.object) ? requestForEntry(entry) : []),
      serviceaccounts: (entry) => tokensOf(entry, store),
    },
    reconcile: async (key, signal) => {
      const secret = store.get({ resource: "secrets", ...key })?.object;
      if (secret === undefined || !isToken(secret)) return;
      const secrets = client.resource(builtInResources.secrets);
      const account = accountOf(secret, store);
      if (account === undefined) {
        const { uid = "" } = secret.metadata;
        await secrets.delete(key, { signal, preconditions: { uid } });
        return;
      }
      const filled = await filledSecret(secret, account, options);
      if (filled !== secret) await secrets.update(filled, { fieldManager, signal });
    },
  });
}

function isToken(object: KubeObject): boolean {
  const { type, metadata } = object as Secret;
  const isTyped = type === "kubernetes.io/service-account-token";
  return isTyped && Boolean(metadata?.annotations?.[nameKey]);
}

/** The Secrets with tokens of an account. */
function tokensOf({ namespace, name }: StoreEntry, store: StoreReader) {
  const secrets = store.list("secrets", { namespace }).entries;
  return secrets
    .filter(({ object }) => isToken(object) && object.metadata.annotations?.[nameKey] === name)
    .flatMap(requestForEntry);
}

function accountOf({ metadata }: KubeObject, store: StoreReader): KubeObject | undefined {
  const { namespace = "", annotations = {} } = metadata;
  const name = annotations[nameKey] ?? "";
  const account = store.get({ resource: "serviceaccounts", namespace, name })?.object;
  const uid = annotations[uidKey];
  return uid === undefined || uid === "" || account?.metadata.uid === uid ? account : undefined;
}

async function filledSecret(
  secret: KubeObject,
  { metadata: account }: KubeObject,
  { tokens, rootCa }: LegacyTokenOptions,
): Promise<KubeObject> {
  const { data = {} } = secret as Secret;
  const { name = "", namespace = "", annotations } = secret.metadata;
  const encode = (text: string) => Buffer.from(text).toString("base64");
  const ca = encode(rootCa());
  if (data["ca.crt"] === ca && data.namespace && data.token) return secret;
  const { name: accountName = "", uid = "" } = account;
  const issued = data.token
    ? undefined
    : await tokens.issueLegacy({
        sub: serviceAccountUser(namespace, accountName),
        "kubernetes.io/serviceaccount/namespace": namespace,
        "kubernetes.io/serviceaccount/secret.name": name,
        "kubernetes.io/serviceaccount/service-account.name": accountName,
        "kubernetes.io/serviceaccount/service-account.uid": uid,
      });
  return {
    ...secret,
    metadata: {
      ...secret.metadata,
      annotations: { ...annotations, [nameKey]: accountName, [uidKey]: uid },
    },
    data: {
      ...data,
      "ca.crt": ca,
      namespace: data.namespace ?? encode(namespace),
      token: data.token ?? encode(issued ?? ""),
    },
  } as KubeObject;
}
