import { type Client, getOptional } from "@rookery/client";
import type { KubeObject, ObjectKey } from "@rookery/kube";
import { secrets } from "../resources.ts";

export interface Secret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

const suffix = "-kubeconfig";

/** The name of the Secret with a cluster's kubeconfig. */
export function kubeconfigSecret(cluster: string): string {
  return `${cluster}${suffix}`;
}

/** The name of the cluster whose kubeconfig a Secret holds; undefined for other Secrets. */
export function clusterOfSecret(name: string): string | undefined {
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;
}

/** Reads a Secret from the server. */
export function readSecret(client: Client, key: ObjectKey): Promise<Secret | undefined> {
  return getOptional(client.resource<Secret>(secrets), key);
}

/** The text of a value in the data of a Secret. */
export function decode(value = ""): string {
  return Buffer.from(value, "base64").toString("utf8");
}
