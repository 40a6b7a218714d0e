import { type Cache, validatingWebhook, type Webhook } from "@rookery/runtime";
import { machinesOf } from "../cluster-labels.ts";
import type { HostMachine } from "../kinds/host-machine.ts";
import { clusters, machines } from "../resources.ts";
import { hostClusterValidator } from "./host-cluster.ts";

/** All webhooks of the provider. */
export function hostWebhooks(cache: Cache): Webhook[] {
  const validator = hostClusterValidator((cluster) =>
    cache.list<HostMachine>(machines, machinesOf(cluster)),
  );
  return [validatingWebhook(clusters, validator)];
}
