import type { Client } from "@rookery/client";
import { type Clock, deepEqual } from "@rookery/kube";
import { type ClusterConfiguration, uploadKubeadmConfig } from "./kubeadm-config.ts";
import type { Tenants } from "./tenants.ts";

/** For this long an upload is not compared with the tenant again. */
const trustMs = 10 * 60 * 1000;

interface Upload {
  readonly configuration: ClusterConfiguration;
  readonly at: number;
}

/** Uploads the configuration of tenants, but not again at every event of their components. */
export function createUpload(
  tenants: Pick<Tenants, "client">,
  clock: Clock,
): (key: string, configuration: ClusterConfiguration, signal: AbortSignal) => Promise<void> {
  // By client, not by tenant: the entry of a tenant that is forgotten goes with its client.
  const done = new WeakMap<Client, Upload>();
  return async (key, configuration, signal) => {
    const client = tenants.client(key);
    if (!client) return;
    const last = done.get(client);
    const now = clock().getTime();
    if (last && now - last.at < trustMs && deepEqual(last.configuration, configuration)) return;
    await uploadKubeadmConfig(client, configuration, signal);
    done.set(client, { configuration, at: now });
  };
}
