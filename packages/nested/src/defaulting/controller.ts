import type { NestedControlPlane } from "@rookery/api";
import { type OwnerCluster, referredKeys } from "@rookery/cluster-api";
import { deepEqual, type KubeObject } from "@rookery/kube";
import {
  annotationsChanged,
  type Controller,
  type ControllerParts,
  controllerFor,
  generationChanged,
  or,
  type Predicate,
} from "@rookery/runtime";
import { usersOfComponent } from "../control-plane/controller.ts";
import type { NestedParts } from "../parts.ts";
import { apiServers, controllerManagers, controlPlanes, etcds } from "../resources.ts";
import { defaultingLifecycle } from "./reconcile.ts";
import { defaultingScope } from "./scope.ts";

const ownersChanged: Predicate<NestedControlPlane> = (event) =>
  event.type !== "update" ||
  !deepEqual(event.objectOld.metadata.ownerReferences, event.objectNew.metadata.ownerReferences);

/** A deleted component is recreated; a named API server decides on the required components. */
const createdOrDeleted: Predicate<KubeObject> = ({ type }) => type !== "update";

/** Creates the components of control planes, by the index of the controller of control planes. */
export function createDefaultingController(
  parts: ControllerParts & NestedParts,
  concurrency: number,
): Controller {
  const informer = parts.cache.informerFor<NestedControlPlane>(controlPlanes);
  const users = usersOfComponent(informer);
  return (
    controllerFor<NestedControlPlane>(controlPlanes, parts, {
      name: "nesteddefaulting",
      concurrency,
      // The controller waits for an owner, which does not change the generation.
      predicates: [or(generationChanged, annotationsChanged, ownersChanged)],
    })
      // The pause of a Cluster.
      .watches<OwnerCluster>(
        parts.ownerClusters,
        (owner) => referredKeys(owner, owner.spec?.controlPlaneRef, controlPlanes),
        generationChanged,
      )
      .watches(etcds, users, createdOrDeleted)
      .watches(apiServers, users, createdOrDeleted)
      .watches(controllerManagers, users, createdOrDeleted)
      .reconcile(defaultingLifecycle, (context) => defaultingScope(context, parts))
  );
}
