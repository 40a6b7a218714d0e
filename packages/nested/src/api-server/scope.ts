import type { NestedAPIServer, NestedControlPlane } from "@rookery/api";
import { type Commit, createResourceCommitter, type ReconcileContext } from "@rookery/runtime";
import type { ComponentScope } from "../component/scope.ts";
import { controlPlanes } from "../resources.ts";
import { certificateOf, probePod } from "./probe-pod.ts";

/** The parts of API servers besides those of all components. */
export interface ApiServerParts {
  /** The default image of API servers of the profile light. */
  readonly rookeryImage: string;
  /** Called when the API server of a control plane has ready pods. */
  readonly serves: (controlPlane: NestedControlPlane) => void;
}

export interface ApiServerScope extends ComponentScope<NestedAPIServer>, ApiServerParts {
  /** Whether the API server at the address of a pod is ready. */
  readonly probePod: (address: string) => Promise<boolean>;
  /** The fingerprint of the serving certificate of a pod; undefined if it is not reachable. */
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
