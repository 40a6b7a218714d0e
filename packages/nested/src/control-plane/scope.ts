import type { NestedControlPlane } from "@rookery/api";
import type { OwnerCluster } from "@rookery/cluster-api";
import type { Clock, PartialObjectMetadata } from "@rookery/kube";
import type { Informer, LifecycleScope, ReconcileContext } from "@rookery/runtime";
import type { Parent } from "../component/parent.ts";
import type { AuthorityExpiry } from "../metrics.ts";
import type { Authority } from "../names.ts";
import { type NestedParts, ownerReader } from "../parts.ts";
import type { SecretMemo } from "../pki/secret-memo.ts";
import { controlPlanes } from "../resources.ts";
import type { Tenants } from "../tenant/tenants.ts";
import type { ClusterConfiguration, createUpload } from "../tenant/uploads.ts";
import { type ComponentObjects, componentObjects, type WatchKind } from "./component-objects.ts";
import type { ControlPlaneFinding } from "./report.ts";
import { type SecretObjects, secretObjects } from "./secret-objects.ts";

/** The findings about certificates, and the time of the next check. */
export interface Secured {
  readonly certificates: ControlPlaneFinding;
  readonly authorities: ControlPlaneFinding;
  /** The expiry of each authority; empty until all certificates are valid. */
  readonly expiries: Readonly<Partial<Record<Authority, Date>>>;
  readonly kubeconfig: ControlPlaneFinding;
  readonly userKubeconfig: ControlPlaneFinding;
  readonly until: Date;
}

/** The memory of the process for all control planes. */
interface Kept {
  readonly memo: SecretMemo<Secured>;
  readonly expiry: Pick<AuthorityExpiry, "set" | "forget">;
  readonly tenants: Pick<Tenants, "watch" | "state" | "hurry" | "forget">;
  /** The hosts of foreign API servers that the manager may connect to. */
  readonly allowedHosts: readonly string[];
}

export interface ControlPlaneParts extends NestedParts, Kept {
  /** The metadata of all Secrets. Their content is never cached. */
  readonly secretMetadata: Informer<PartialObjectMetadata>;
  readonly upload: ReturnType<typeof createUpload>;
  readonly watchKind: WatchKind;
}

export interface ControlPlaneScope
  extends LifecycleScope<NestedControlPlane>,
    ComponentObjects,
    SecretObjects,
    Kept {
  readonly getOwner: (controlPlane: NestedControlPlane) => Promise<OwnerCluster | undefined>;
  /** Uploads kubeadm-config to the tenant. Rejects if the tenant rejects it. */
  readonly upload: (key: string, configuration: ClusterConfiguration) => Promise<void>;
  readonly clock: Clock;
}

export interface OwnedControlPlane extends Parent {
  /** The key of the control plane in the memory of the process. */
  readonly key: string;
}

export function controlPlaneScope(
  context: ReconcileContext<NestedControlPlane>,
  parts: ControlPlaneParts,
): ControlPlaneScope {
  const { get, commit, signal } = context;
  const { memo, expiry, tenants, allowedHosts, clock } = parts;
  return {
    get,
    commit,
    getOwner: ownerReader(controlPlanes, context, parts),
    ...componentObjects(context, parts.watchKind),
    ...secretObjects(context, parts.secretMetadata),
    upload: (key, configuration) => parts.upload(key, configuration, signal),
    memo,
    expiry,
    tenants,
    allowedHosts,
    clock,
  };
}
