import type { Client } from "@rookery/client";
import { type Clock, deepEqual } from "@rookery/kube";
import { type ClusterConfiguration, uploadKubeadmConfig } from "./kubeadm-config.ts";
import type { Tenants } from "./tenants.ts";

/** For this long nobody looks whether the tenant still has what it was told. */
const trustMs = 10 * 60 * 1000;

interface Upload {
  readonly configuration: ClusterConfiguration;
  readonly at: number;
}

/** Tells tenants about themselves, and does not ask them again at every event of their parts. */
export function createUpload(
  tenants: Pick<Tenants, "client">,
  clock: Clock,
): (key: string, configuration: ClusterConfiguration, signal: AbortSignal) => Promise<void> {
  // Of a client, not of a tenant: what is known of one that is forgotten goes with it.
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
