import type { ServedGroup } from "@rookery/apiserver";
import { localCondition } from "../kinds/apiregistration/api-service.ts";
import type { ApiService } from "./api-service.ts";

export const automanagedLabel = "kube-aggregator.kubernetes.io/automanaged";

/** The priorities of kube-apiserver. */
const priorities: Readonly<Record<string, readonly [group: number, version: number]>> = {
  "": [18_000, 1],
  apps: [17_800, 15],
  "events.k8s.io": [17_750, 15],
  "authentication.k8s.io": [17_700, 15],
  "authorization.k8s.io": [17_600, 15],
  autoscaling: [17_500, 15],
  batch: [17_400, 15],
  "certificates.k8s.io": [17_300, 15],
  "networking.k8s.io": [17_200, 15],
  policy: [17_100, 15],
  "rbac.authorization.k8s.io": [17_000, 15],
  "storage.k8s.io": [16_800, 15],
  "admissionregistration.k8s.io": [16_700, 15],
  "apiextensions.k8s.io": [16_700, 15],
  "scheduling.k8s.io": [16_600, 15],
  "coordination.k8s.io": [16_500, 15],
  "discovery.k8s.io": [16_200, 15],
};

/** The group of APIService itself, which has none. */
const ownGroup = "apiregistration.k8s.io";

/** The APIServices of built-in groups. */
export function builtInServices(groups: readonly ServedGroup[], now: Date): ApiService[] {
  return groups
    .filter(({ name }) => name !== ownGroup)
    .flatMap(({ name, versions }) =>
      versions.map((version) =>
        localService({
          group: name,
          version: version.name,
          priority: priorities[name] ?? [15_000, 15],
          managed: "onstart",
          now,
        }),
      ),
    );
}

/** The APIServices of custom groups. */
export function customServices(groups: readonly ServedGroup[], now: Date): ApiService[] {
  return groups.flatMap(({ name, versions }) =>
    versions.map((version) =>
      localService({
        group: name,
        version: version.name,
        priority: [1000, 100],
        managed: "true",
        now,
      }),
    ),
  );
}

interface LocalService {
  readonly group: string;
  readonly version: string;
  readonly priority: readonly [group: number, version: number];
  readonly managed: "onstart" | "true";
  readonly now: Date;
}

function localService({ group, version, priority, managed, now }: LocalService): ApiService {
  const [groupPriorityMinimum, versionPriority] = priority;
  return {
    kind: "APIService",
    apiVersion: "apiregistration.k8s.io/v1",
    metadata: { name: `${version}.${group}`, labels: { [automanagedLabel]: managed } },
    spec: { ...(group && { group }), version, groupPriorityMinimum, versionPriority },
    status: { conditions: [localCondition(now)] },
  };
}
