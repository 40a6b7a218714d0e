import type { NestedControlPlane } from "@rookery/api";
import { type OwnerCluster, whenPaused } from "@rookery/cluster-api";
import {
  formatObjectKey,
  isFalse,
  type ObjectKey,
  objectKeyOf,
  statementsOf,
  withConditions,
} from "@rookery/kube";
import { createLifecycle, type Outcome, type Request, requeueAfter } from "@rookery/runtime";
import { findingOf } from "../error-findings.ts";
import { findComponents, ownComponents } from "./phases/find-components.ts";
import { initialize } from "./phases/initialize.ts";
import { removeLastComponent } from "./phases/remove-components.ts";
import { secure } from "./phases/secure.ts";
import { endpointFinding, secondsUntil } from "./policies.ts";
import type { ControlPlaneFinding } from "./report.ts";
import { removing, reported } from "./report.ts";
import type { ControlPlaneScope, OwnedControlPlane } from "./scope.ts";

/** Seconds until the next upload to a tenant that rejected it. */
const uploadRetrySeconds = 0.25;

export const controlPlaneLifecycle = createLifecycle<
  NestedControlPlane,
  ControlPlaneScope,
  OwnerCluster
>({
  finalizer: "nestedcontrolplane.controlplane.cluster.x-k8s.io",
  forget,
  owner: (controlPlane, { getOwner }) => getOwner(controlPlane),
  whenPaused: (controlPlane, { clock }, owner) => whenPaused(controlPlane, owner, clock),
  whenUnowned,
  provision,
  remove,
  errors: {
    findingOf,
    withFinding: (controlPlane, finding, { clock }) =>
      withConditions(controlPlane, statementsOf({ Ready: finding }), clock),
  },
});

function forget(request: Request, scope: ControlPlaneScope): void {
  release(request, scope);
  scope.expiry.forget(formatObjectKey(request));
}

function release(object: ObjectKey, { tenants, memo }: ControlPlaneScope): void {
  const key = formatObjectKey(object);
  tenants.forget(key);
  memo.forget(key);
}

function whenUnowned(
  controlPlane: NestedControlPlane,
  { clock }: ControlPlaneScope,
): Outcome<NestedControlPlane> {
  const waiting: ControlPlaneFinding = isFalse(
    "WaitingForOwner",
    "no Cluster owns this object and names it as its control plane yet",
  );
  const statements = statementsOf({ ComponentsFound: waiting, Ready: waiting });
  return { object: withConditions(controlPlane, statements, clock) };
}

/** Components, certificates and endpoint are independent of one another. */
async function provision(
  controlPlane: NestedControlPlane,
  scope: ControlPlaneScope,
  owner: OwnerCluster,
): Promise<Outcome<NestedControlPlane>> {
  const plane = ownedControlPlane(controlPlane, owner);
  const found = await findComponents(plane, scope);
  const { components } = found;
  const work = [ownComponents(found, plane, scope), secure(plane, components, scope)] as const;
  // Both must end, also if one fails: the next reconcile must not run at the same time.
  await Promise.allSettled(work);
  const [owned, secured] = await Promise.all(work);
  const { apiserver: apiServer } = components;
  const { finding, tenant } = await initialize(plane, apiServer, scope);
  const findings = {
    ComponentsFound: owned,
    CertificatesAvailable: secured.certificates,
    AuthoritiesCurrent: secured.authorities,
    EndpointAvailable: endpointFinding({ controlPlane, apiServer, ...scope }),
    KubeconfigAvailable: secured.kubeconfig,
    UserKubeconfigAvailable: secured.userKubeconfig,
    Initialized: finding,
  };
  const object = reported(controlPlane, { components, tenant, findings }, scope.clock);
  const isRefused = finding.reason === "UploadFailed";
  const seconds = isRefused ? uploadRetrySeconds : secondsUntil(secured.until, scope.clock());
  return { object, result: requeueAfter(seconds) };
}

function ownedControlPlane(
  controlPlane: NestedControlPlane,
  owner: OwnerCluster,
): OwnedControlPlane {
  const { name = "", namespace = "" } = controlPlane.metadata;
  const key = formatObjectKey({ namespace, name });
  return { controlPlane, owner, cluster: owner.metadata.name ?? "", namespace, key };
}

/** Removes the components, one after another, then the Secrets. */
async function remove(
  controlPlane: NestedControlPlane,
  scope: ControlPlaneScope,
): Promise<Outcome<NestedControlPlane> | "removed"> {
  const component = await removeLastComponent(controlPlane, scope);
  if (component) return { object: removing(controlPlane, component, scope.clock) };
  const secrets = await scope.ownedSecrets(controlPlane);
  await Promise.all(secrets.map((secret) => scope.deleteSecret(secret)));
  release(objectKeyOf(controlPlane), scope);
  return "removed";
}
