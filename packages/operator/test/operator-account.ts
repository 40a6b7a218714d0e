import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Client, createClient, loadConfig } from "@rookery/client";
import type { KubeObject } from "@rookery/kube";
import { type CustomResourceDefinition, installAccess, type Kubernetes } from "@rookery/testing";
import { parseAllDocuments } from "yaml";

export type Manifest = KubeObject<Record<string, unknown>>;

const root = join(import.meta.dirname, "../../..");

/** The operator's ServiceAccount in deploy/operator.yaml. */
export const operatorAccount = { namespace: "rookery-system", name: "rookery-operator" };

/** deploy/operator.yaml as it ships. */
export async function shippedManifests(): Promise<readonly Manifest[]> {
  const text = await readFile(join(root, "deploy/operator.yaml"), "utf8");
  return parseAllDocuments(text).map((document) => document.toJS());
}

/**
 * Installs the CRDs, the account and the roles of deploy/operator.yaml, but neither pods nor webhooks.
 * Returns a client of the account: an operator that a test runs has the rights that ship, and no others.
 */
export async function installOperatorAccount(kubernetes: Kubernetes): Promise<Client> {
  const manifests = await shippedManifests();
  const crds = manifests.filter(({ kind }) => kind === "CustomResourceDefinition");
  await Promise.all(
    crds.map((crd) => kubernetes.applyCrd(crd as unknown as CustomResourceDefinition)),
  );
  await installAccess(kubernetes, manifests);
  return createOperatorClient(kubernetes);
}

/** A client of the operator's account, which has to exist. */
export async function createOperatorClient(kubernetes: Kubernetes): Promise<Client> {
  const { kubeconfig } = await kubernetes.serviceAccount(operatorAccount);
  return createClient(await loadConfig({ path: kubeconfig }));
}
