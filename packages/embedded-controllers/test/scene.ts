import assert from "node:assert/strict";
import type { Authorizer, UserInfo } from "@rookery/apiserver";
import { loadApiServer } from "@rookery/embedded-apiserver";
import { loadNode } from "@rookery/embedded-node";
import { isNotFound, type KubeObject, type ObjectKey, type Resource } from "@rookery/kube";
import { createCertificateAuthority, createKeyPair } from "@rookery/pki";
import { waitFor } from "@rookery/testing";
import { startControllers } from "../src/start-controllers.ts";
import { type Cluster, startCluster } from "./cluster.ts";

/** Kubelets may renew their own certificates, and bootstrap tokens get first ones. */
const authorize: Authorizer = ({ user, subresource }) => {
  const isAllowed =
    subresource === "selfnodeclient" || user.groups.includes("system:bootstrappers");
  return { decision: isAllowed ? "Allow" : "NoOpinion" };
};

export interface SceneOptions {
  readonly user?: UserInfo;
  /** Present where there is a node: where the volumes of claims are. */
  readonly volumes?: string;
  readonly networks?: { readonly podCidr: string; readonly serviceCidr: string };
}

/** A cluster with all controllers. */
export async function startScene({ user, volumes, networks }: SceneOptions = {}) {
  const running = await startCluster(undefined, user, networks);
  const { context } = running;
  const { createServiceAccountTokens, createTokenKeys } = await loadApiServer();
  const { FolderVolumes } = await loadNode();
  const keys = createTokenKeys({ signingKey: (await createKeyPair()).privateKey });
  const tokens = createServiceAccountTokens({
    ...context,
    store: running.store,
    keys,
    issuer: "https://here",
  });
  const errors: unknown[] = [];
  const authority = await createCertificateAuthority({ commonName: "clients" });
  const options = {
    ...context,
    tokens,
    authority,
    authorize,
    rootCa: () => "ROOT",
    ...(volumes !== undefined && { node: { provisioner: new FolderVolumes(volumes) } }),
  };
  const controllers = startControllers({ ...options, onError: (error) => errors.push(error) });
  return {
    ...running,
    tokens,
    [Symbol.asyncDispose]: async () => {
      await controllers[Symbol.asyncDispose]();
      await running[Symbol.asyncDispose]();
      assert.deepEqual(errors, []);
    },
  };
}

export function namespaceOf(name: string): KubeObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

/** Undefined where there is none. */
export async function find(scene: Cluster, resource: Resource, key: ObjectKey) {
  try {
    return await scene.client.resource(resource).get(key);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

export const appears = (scene: Cluster, resource: Resource, key: ObjectKey) =>
  waitFor(() => find(scene, resource, key), { what: `${resource.plural} ${key.name}` });

export async function gone(scene: Cluster, resource: Resource, key: ObjectKey): Promise<void> {
  const ask = async () => (await find(scene, resource, key)) === undefined;
  await waitFor(ask, { what: `${key.name} to go` });
}
