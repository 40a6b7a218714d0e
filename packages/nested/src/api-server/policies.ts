import type { NestedAPIServer, NestedControlPlane } from "@rookery/api";
import type { Siblings } from "../component/parent.ts";
import { whyUnsettled } from "../component/parent.ts";
import { changeProblem, controllerManagerProblem, isSameMinor } from "../component/skew.ts";
import { ComponentError } from "../errors.ts";

/**
 * Why an API server may not get a version yet: etcd is upgraded first, no minor is skipped or reverted, and the
 * controller manager may be one minor behind. A new API server waits for etcd by itself.
 */
export function apiServerGate(
  to: string,
  from: string | undefined,
  { etcd, controllerManager }: Siblings,
): ComponentError | undefined {
  if (from === undefined) return undefined;
  const unsettled = etcd && whyUnsettled("etcd", etcd);
  if (unsettled) return new ComponentError("WaitingForEtcd", unsettled);
  const runs = controllerManager?.status?.version;
  const problem = changeProblem(from, to) ?? (runs && controllerManagerProblem(runs, to));
  return problem ? new ComponentError("VersionSkew", problem) : undefined;
}

/** The Kubernetes version of the profile light in this release. */
export const lightVersion = "v1.34.4";

/** Why the profile light does not support a version; undefined if it does. */
export function lightGate(to: string): ComponentError | undefined {
  if (isSameMinor(to, lightVersion)) return undefined;
  const why = `the profile light behaves like Kubernetes ${lightVersion}, and not like ${to}`;
  return new ComponentError("VersionNotAvailable", `${why}; set spec.version to ${lightVersion}`);
}

/** The URLs of etcd's members, sorted; empty until they are known. */
export function etcdServersOf({ status }: NestedControlPlane): string[] {
  const addresses = status?.etcd?.addresses ?? [];
  return addresses
    .flatMap(({ hostname, ip, port }) => {
      const host = hostname || (ip?.includes(":") ? `[${ip}]` : ip);
      return host ? [`https://${host}:${port}`] : [];
    })
    .toSorted();
}

export type LightStorage = NonNullable<NestedAPIServer["spec"]["storage"]>;

const usual: LightStorage = { type: "PersistentVolumeClaim", size: "1Gi" };

/** The storage of an API server of the profile light. */
export function lightStorageOf({ storage = usual }: NestedAPIServer["spec"]): LightStorage {
  return storage;
}
