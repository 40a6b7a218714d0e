import type { NestedAPIServer, NestedControlPlane } from "@rookery/api";
import type { Siblings } from "../component/home.ts";
import { whyUnsettled } from "../component/home.ts";
import { changeProblem, controllerManagerProblem, isSameMinor } from "../component/skew.ts";
import { ComponentError } from "../errors.ts";

/**
 * Why an API server may not go to a version yet, after another one: etcd goes first, no minor is
 * skipped or gone back to, and the controller manager must not stay behind by more than one. A new
 * one starts beside etcd, and waits for it by itself.
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

/** The Kubernetes that the embedded one behaves like, in this release. */
export const lightVersion = "v1.34.4";

/** Why an API server of the profile light may not be of a version: it comes in one only. */
export function lightGate(to: string): ComponentError | undefined {
  if (isSameMinor(to, lightVersion)) return undefined;
  const why = `the profile light behaves like Kubernetes ${lightVersion}, and not like ${to}`;
  return new ComponentError("VersionNotAvailable", `${why}; set spec.version to ${lightVersion}`);
}

/** The URLs of etcd's members, in a stable order; empty until they are known. */
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

/** Where an API server of the profile light keeps its data. */
export function lightStorageOf({ storage = usual }: NestedAPIServer["spec"]): LightStorage {
  return storage;
}
