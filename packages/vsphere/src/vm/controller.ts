import type { VSphereCluster, VSphereVM } from "@rookery/api";
import { clusterNameLabel } from "@rookery/cluster-api";
import { deepEqual, type KubeObject, objectKeyOf } from "@rookery/kube";
import {
  annotationsChanged,
  type Controller,
  createController,
  createInformerSource,
  enqueueRequestForObject,
  enqueueRequestsFromMapFunction,
  generationChanged,
  type Logger,
  labelsChanged,
  type Metrics,
  not,
  or,
  type Predicate,
  resourceVersionChanged,
  type Source,
} from "@rookery/runtime";
import { type IdentityEventOptions, identityEventSources } from "../credentials/identity-events.ts";
import { clusters, virtualMachines } from "../resources.ts";
import type { SessionScope } from "../sessions/session-manager.ts";
import { reconcileVm, reportVmError } from "./reconcile.ts";
import type { VmDependencies } from "./scope.ts";

export interface VmControllerOptions extends IdentityEventOptions {
  readonly dependencies: (scope: SessionScope) => VmDependencies;
  /** What is heard from vCenters. */
  readonly changes: Source;
  readonly concurrency: number;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

const bySecret = "secret";

export function createVmController(options: VmControllerOptions): Controller {
  const { cache, changes, dependencies, secretMetadata } = options;
  const informer = cache.informerFor<VSphereVM>(virtualMachines);
  informer.addIndex(bySecret, ({ spec }) => (spec.bootstrapRef ? [spec.bootstrapRef.name] : []));
  /** What a cluster is made as may have changed, or its vCenter may be back. */
  const machinesOf = ({ metadata }: KubeObject) =>
    informer.list({ namespace: metadata.namespace ?? "" }).map(objectKeyOf);
  return createController({
    name: "vspherevm",
    maxConcurrentReconciles: options.concurrency,
    sources: [
      createInformerSource({
        informer,
        // What this controller itself writes into a status is no news, and would cost calls.
        predicates: [
          or(generationChanged, labelsChanged, annotationsChanged, finalizersChanged, isResync),
        ],
        handler: enqueueRequestForObject(),
      }),
      createInformerSource({
        informer: cache.informerFor<VSphereCluster>(clusters),
        handler: enqueueRequestsFromMapFunction(machinesOf),
      }),
      // A machine may have a server of its own: its cluster need not change with its account.
      ...identityEventSources(options, machinesOf),
      createInformerSource({
        informer: secretMetadata.watched,
        handler: enqueueRequestsFromMapFunction(({ metadata }) => {
          const index = { name: bySecret, value: metadata.name ?? "" };
          return informer.list({ index, namespace: metadata.namespace ?? "" }).map(objectKeyOf);
        }),
      }),
      changes,
    ],
    metrics: options.metrics.controller("vspherevm"),
    logger: options.logger,
    // One whose server is its cluster's shares with the others of that cluster.
    fairnessKey: (request) => {
      const { spec, metadata } = informer.get(request) ?? {};
      const server = spec?.server ?? `of ${metadata?.labels?.[clusterNameLabel] ?? ""}`;
      return [request.namespace ?? "", server];
    },
    reconcile: (request, signal) =>
      reconcileVm(request, dependencies({ tenant: request.namespace ?? "", signal })),
    reportError: (failed) => {
      const { request, signal } = failed;
      return reportVmError(failed, dependencies({ tenant: request.namespace ?? "", signal }));
    },
  });
}

const isResync = not(resourceVersionChanged);

const finalizersChanged: Predicate = (event) =>
  event.type !== "update" ||
  !deepEqual(event.objectOld.metadata.finalizers ?? [], event.objectNew.metadata.finalizers ?? []);
