import type { Authorizer } from "@rookery/apiserver";
import type { CertificateAuthority } from "@rookery/pki";
import { type Runnable, silentLogger, startRunnables } from "@rookery/runtime";
import { createCertificateApprover } from "./certificates/approver.ts";
import { createCertificateCleaner } from "./certificates/cleaner.ts";
import { createCertificateSigner } from "./certificates/signer.ts";
import { createClusterRoleAggregation } from "./cluster-role-aggregation.ts";
import type { ControllerContext } from "./context/context.ts";
import { createGarbageCollector } from "./garbage-collector/garbage-collector.ts";
import { createNamespaceController } from "./namespace-deletion/namespace-controller.ts";
import { createDisruptionController } from "./scheduling/disruption/disruption-controller.ts";
import { createNodeTaints } from "./scheduling/node-taints.ts";
import { createScheduler } from "./scheduling/scheduler.ts";
import {
  createLegacyTokenController,
  type LegacyTokenIssuer,
} from "./service-accounts/legacy-tokens.ts";
import {
  createRootCaPublisher,
  createServiceAccountController,
} from "./service-accounts/namespace-objects.ts";
import { createEndpointSliceController } from "./services/endpoint-slice-controller.ts";
import { createEndpointSliceMirroringController } from "./services/endpoint-slice-mirroring-controller.ts";
import { createEndpointsController } from "./services/endpoints-controller.ts";
import { createLoadBalancerController } from "./services/load-balancer-controller.ts";
import { volumeControllers } from "./volumes/volume-controllers.ts";
import type { VolumeProvisioner } from "./volumes/volume-provisioner.ts";
import { createWorkloadControllers } from "./workloads/workload-controllers.ts";

export interface StartControllersOptions extends Omit<ControllerContext, "logger"> {
  readonly logger?: ControllerContext["logger"];
  readonly tokens: LegacyTokenIssuer;
  /** The authority of the API server's certificate, in PEM. */
  readonly rootCa: () => string;
  /** Decides which users get certificates of kubelets. */
  readonly authorize: Authorizer;
  /** Signs the certificates of clients and kubelets. */
  readonly authority: Pick<CertificateAuthority, "sign">;
  /** false leaves the work of a kube-controller-manager to another one, such as a real one. */
  readonly controllerManager?: boolean;
  /**
   * Present where there is a node: then pods are scheduled and Services are balanced, and claims get
   * volumes.
   */
  readonly node?: { readonly provisioner: VolumeProvisioner };
  /** false leaves out the workload controllers. */
  readonly workloads?: boolean;
  /** Called with the error of a controller that ended unexpectedly. */
  readonly onError: (error: unknown) => void;
}

/** Runs the controllers of kube-controller-manager and kube-scheduler, until it is disposed of. */
export function startControllers(options: StartControllersOptions): AsyncDisposable {
  const { logger = silentLogger, controllerManager = true } = options;
  const context = { ...options, logger };
  const controllers: Runnable[] = [
    ...(controllerManager ? managedControllers(context) : []),
    ...(options.node ? nodeControllers(context) : []),
  ];
  return startRunnables(controllers, options.onError);
}

/** The controllers for a machine with pods. */
function nodeControllers(context: ControllerContext): Runnable[] {
  return [createScheduler(context), createLoadBalancerController(context)];
}

function managedControllers(context: StartControllersOptions & ControllerContext): Runnable[] {
  const { tokens, rootCa, authorize, authority, workloads = true } = context;
  return [
    createServiceAccountController(context),
    createRootCaPublisher(context, rootCa),
    createClusterRoleAggregation(context),
    createNamespaceController(context),
    createGarbageCollector(context),
    createLegacyTokenController(context, { tokens, rootCa }),
    createCertificateApprover(context, authorize),
    createCertificateSigner(context, authority),
    createCertificateCleaner(context),
    ...(workloads ? createWorkloadControllers(context) : []),
    createEndpointsController(context),
    createEndpointSliceController(context),
    createEndpointSliceMirroringController(context),
    createNodeTaints(context),
    createDisruptionController(context),
    ...volumeControllers(context, context.node?.provisioner),
  ];
}
