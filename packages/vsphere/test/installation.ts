import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@rookery/client";
import { isNotFound, type KubeObject } from "@rookery/kube";
import {
  type CustomResourceDefinition,
  clusterApiCrds,
  type Kubernetes,
  startKubernetes,
  waitFor,
} from "@rookery/testing";
import { vsphereRelease } from "@rookery/vsphere";
import { patience } from "./running-provider.ts";

export const systemNamespace = "capv-system";
const account = { namespace: systemNamespace, name: "capv-controller-manager" };

type Variables = Readonly<Record<string, string>>;

/** The objects of a file of the release, with their variables replaced. */
export function releaseObjects(file: string, variables: Variables = {}): readonly KubeObject[] {
  const documents = vsphereRelease({ image: "rookery:test" }).get(file);
  const text = JSON.stringify(documents).replaceAll(
    /"?\$\{(\w+)(?::=([^}]*))?\}"?/g,
    (found: string, name: string, fallback = "") => {
      const value = variables[name] ?? JSON.parse(`"${fallback}"`).replaceAll('"', "");
      const isWhole = found.startsWith('"') && found.endsWith('"');
      if (!isWhole) return found.replace(/\$\{.*\}/, value);
      return /^\d+$/.test(fallback) ? value : JSON.stringify(value);
    },
  );
  return JSON.parse(text);
}

/** A Kubernetes with the kinds of Cluster API whose names match, and the provider's components. */
export async function startInstalled(kinds: RegExp): Promise<Kubernetes> {
  const kubernetes = await startKubernetes({ private: true, controllerManager: false });
  const upstream = (await clusterApiCrds()).filter(({ metadata }) => kinds.test(metadata.name));
  const own = releaseObjects("infrastructure-components.yaml").filter(isDefinition);
  for (const crd of [...upstream, ...own]) await kubernetes.applyCrd(crd);
  return kubernetes;
}

function isDefinition(object: KubeObject): object is KubeObject & CustomResourceDefinition {
  return object.kind === "CustomResourceDefinition";
}

/**
 * Applies the components but for the webhooks: there is no network here in which an API server
 * would reach their Service.
 */
export async function installComponents(client: Client, variables?: Variables): Promise<void> {
  for (const component of releaseObjects("infrastructure-components.yaml", variables)) {
    if (isDefinition(component) || component.kind.endsWith("WebhookConfiguration")) continue;
    const resource = await client.kind<KubeObject>(component);
    await resource.apply(component, { fieldManager: "installer", force: true });
  }
}

/** The path of a kubeconfig of the manager's own account, which may do what its roles say. */
export async function accountKubeconfig(kubernetes: Kubernetes, folder: string): Promise<string> {
  const { namespace, name } = account;
  const { body } = await kubernetes.request(
    "POST",
    `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    { body: { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} } },
  );
  const cluster = {
    server: kubernetes.server,
    "certificate-authority-data": Buffer.from(kubernetes.ca).toString("base64"),
  };
  const path = join(folder, "kubeconfig");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "manager",
    contexts: [{ name: "manager", context: { cluster: "it", user: "manager" } }],
    clusters: [{ name: "it", cluster }],
    users: [{ name: "manager", user: { token: body.status.token } }],
  };
  await writeFile(path, JSON.stringify(config), { mode: 0o600 });
  return path;
}

/** Waits until an object is no longer there. */
export function gone(get: () => Promise<unknown>, what: string): Promise<boolean> {
  const isGone = () =>
    get().then(
      () => false,
      (error) => isNotFound(error),
    );
  return waitFor(isGone, { what: `${what} to be gone`, timeout: patience });
}
