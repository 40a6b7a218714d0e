import type { NestedAPIServer, NestedControlPlane } from "@rookery/api";
import { type Commit, createResourceCommitter, type ReconcileContext } from "@rookery/runtime";
import type { ComponentScope } from "../component/scope.ts";
import { controlPlanes } from "../resources.ts";
import { certificateOf, probePod } from "./probe-pod.ts";

/** What the controller of API servers has besides the parts of all components. */
export interface ApiServerParts {
  /** The image of API servers of the profile light whose spec names none. */
  readonly rookeryImage: string;
  /** The API server of a control plane has pods that are ready. */
  readonly serves: (controlPlane: NestedControlPlane) => void;
}

/** What one reconcile of a NestedAPIServer needs. */
export interface ApiServerScope extends ComponentScope<NestedAPIServer>, ApiServerParts {
  /** Whether the API server at the address of a pod is ready. */
  readonly probePod: (address: string) => Promise<boolean>;
  /** The fingerprint of the certificate that a pod serves with; undefined where it is not reached. */
  readonly certificateOf: (address: string) => Promise<string | undefined>;
  readonly commitControlPlane: Commit<NestedControlPlane>;
}

export function apiServerScope(
  shared: ComponentScope<NestedAPIServer>,
  { client, signal }: ReconcileContext<NestedAPIServer>,
  { rookeryImage, serves }: ApiServerParts,
): ApiServerScope {
  return {
    ...shared,
    rookeryImage,
    serves,
    probePod: (address) => probePod(address, { signal }),
    certificateOf: (address) => certificateOf(address, { signal }),
    commitControlPlane: createResourceCommitter(client.resource<NestedControlPlane>(controlPlanes)),
  };
}
