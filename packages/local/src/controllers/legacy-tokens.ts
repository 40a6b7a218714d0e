import type { Secret } from "@rookery/api";
import { isConflict, isNotFound, type KubeObject } from "@rookery/kube";
import { type Controller, createController, done, type Result } from "@rookery/runtime";
import { serviceAccountUser } from "../authentication/claims.ts";
import type { ServiceAccountTokens } from "../authentication/service-account-tokens.ts";
import type { Entry, Store } from "../store/store.ts";
import { type ControllerContext, fieldManager } from "./context.ts";
import { resources } from "./resources.ts";
import { requestForEntry, storeSource } from "./store-source.ts";

const nameKey = "kubernetes.io/service-account.name";
const uidKey = "kubernetes.io/service-account.uid";

export interface LegacyTokenOptions {
  readonly tokens: Pick<ServiceAccountTokens, "issueLegacy">;
  readonly rootCa: () => string;
}

/** Fills Secrets of the type of service account tokens, and deletes those without an account. */
export function createLegacyTokenController(
  context: ControllerContext,
  options: LegacyTokenOptions,
): Controller {
  const { store, client } = context;
  return createController({
    name: "tokens-controller",
    logger: context.logger,
    sources: [
      storeSource({
        store,
        resource: "secrets",
        requestsOf: (entry) => (isToken(entry.object) ? requestForEntry(entry) : []),
      }),
      storeSource({
        store,
        resource: "serviceaccounts",
        requestsOf: (entry) => tokensOf(entry, store),
      }),
    ],
    reconcile: async (request, signal): Promise<Result> => {
      const { namespace = "", name } = request;
      const secret = store.get({ resource: "secrets", namespace, name })?.object;
      if (secret === undefined || !isToken(secret)) return done;
      const secrets = client.resource(resources.secrets);
      const account = accountOf(secret, store);
      try {
        if (account === undefined) {
          const { uid = "" } = secret.metadata;
          await secrets.delete({ namespace, name }, { signal, preconditions: { uid } });
          return done;
        }
        const filled = await filledSecret(secret, account, options);
        if (filled !== secret) await secrets.update(filled, { fieldManager, signal });
      } catch (error) {
        // An event tells of what it is now.
        if (!isConflict(error) && !isNotFound(error)) throw error;
      }
      return done;
    },
  });
}

function isToken(object: KubeObject): boolean {
  const { type, metadata } = object as Secret;
  const isTyped = type === "kubernetes.io/service-account-token";
  return isTyped && Boolean(metadata?.annotations?.[nameKey]);
}

/** The Secrets with tokens of an account. */
function tokensOf({ namespace, name }: Entry, store: Store) {
  const secrets = store.list("secrets", { namespace }).entries;
  return secrets
    .filter(({ object }) => isToken(object) && object.metadata.annotations?.[nameKey] === name)
    .flatMap(requestForEntry);
}

function accountOf({ metadata }: KubeObject, store: Store): KubeObject | undefined {
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
