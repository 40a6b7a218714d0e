import type { VSphereCluster, VSphereVM } from "@rookery/api";
import { clusterNameLabel } from "@rookery/cluster-api";
import { deepEqual, type KubeObject, objectKeyOf } from "@rookery/kube";
import {
  annotationsChanged,
  type Controller,
  type ControllerParts,
  controllerFor,
  createEventChannel,
  enqueueRequestForObject,
  generationChanged,
  labelsChanged,
  not,
  or,
  type Predicate,
  resourceVersionChanged,
  type WithMetadata,
} from "@rookery/runtime";
import { watchIdentities } from "../credentials/identity-events.ts";
import { clusters, virtualMachines } from "../resources.ts";
import { ChangeWatch } from "./change-watch.ts";
import { vmLifecycle } from "./reconcile.ts";
import { type VmParts, vmScope } from "./scope.ts";

const bySecret = "secret";

/** Makes the virtual machines of VSphereVMs. */
export function createVmController(
  parts: ControllerParts & VmParts,
  concurrency: number,
): Controller {
  const informer = parts.cache.informerFor<VSphereVM>(virtualMachines);
  informer.addIndex(bySecret, ({ spec }) => (spec.bootstrapRef ? [spec.bootstrapRef.name] : []));
  /** Reconciles the machines of a namespace: the account of a cluster, or its connection, may have changed. */
  const machinesOf = ({ metadata }: KubeObject) =>
    informer.list({ namespace: metadata.namespace ?? "" }).map(objectKeyOf);
  const { changes, source } = watchVCenters();
  const shared = { ...parts, changes, marked: new Set<string>() };
  const builder = controllerFor<VSphereVM>(virtualMachines, parts, {
    concurrency,
    // The status that this controller writes starts no reconcile, which would cost calls.
    predicates: [
      or(generationChanged, labelsChanged, annotationsChanged, finalizersChanged, isResync),
    ],
    // A machine without a server of its own shares with the other machines of its cluster.
    fairnessKey: (request) => {
      const { spec, metadata } = informer.get(request) ?? {};
      const server = spec?.server ?? `of ${metadata?.labels?.[clusterNameLabel] ?? ""}`;
      return [request.namespace ?? "", server];
    },
  }).watches<VSphereCluster>(clusters, machinesOf);
  // A machine may have a server of its own: its cluster need not change with its account.
  return watchIdentities(builder, parts, machinesOf)
    .watches(parts.secretMetadata.watched, ({ metadata }) => {
      const index = { name: bySecret, value: metadata.name ?? "" };
      return informer.list({ index, namespace: metadata.namespace ?? "" }).map(objectKeyOf);
    })
    .from(source)
    .reconcile(vmLifecycle, (context) => vmScope(context, shared));
}

/** Changes on vCenters, as a source of requests. */
function watchVCenters() {
  const { send, source } = createEventChannel<WithMetadata>({
    name: "vCenters",
    handler: enqueueRequestForObject(),
  });
  const changes = new ChangeWatch((metadata) => send({ type: "generic", object: { metadata } }));
  return { changes, source };
}

const isResync = not(resourceVersionChanged);

const finalizersChanged: Predicate = (event) =>
  event.type !== "update" ||
  !deepEqual(event.objectOld.metadata.finalizers ?? [], event.objectNew.metadata.finalizers ?? []);
