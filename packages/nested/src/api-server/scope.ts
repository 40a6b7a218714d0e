import type { NestedAPIServer, NestedControlPlane } from "@rookery/api";
import { withSignal } from "@rookery/client";
import { createResourceCommitter } from "@rookery/runtime";
import type { ControlPlaneOf } from "../component/home.ts";
import { defaultImageRepository, defaultRookeryImage } from "../component/images.ts";
import {
  type ComponentControllerOptions,
  type ComponentDependencies,
  componentDependencies,
  type OfReconcile,
} from "../component/scope.ts";
import { type Siblings, siblingsOf } from "../component/siblings.ts";
import { apiServers, controlPlanes } from "../resources.ts";
import { certificateOf } from "./certificate-of.ts";
import { askPod } from "./probe-pod.ts";

/** What one reconcile of a NestedAPIServer needs of the world. */
export interface ApiServerDependencies extends ComponentDependencies<NestedAPIServer> {
  /** What the profile light runs where the spec names no image. */
  readonly rookeryImage: string;
  readonly getSiblings: (home: ControlPlaneOf) => Promise<Siblings>;
  /** Whether the API server at the address of a pod says that it is ready. */
  readonly askPod: (address: string) => Promise<boolean>;
  /** The fingerprint of the certificate that a pod serves with; undefined where it is not reached. */
  readonly certificateOf: (address: string) => Promise<string | undefined>;
  readonly commitControlPlane: (
    original: NestedControlPlane,
    desired: NestedControlPlane,
  ) => Promise<NestedControlPlane>;
  /** Hears that the API server of a control plane has pods that are ready. */
  readonly serves: (controlPlane: NestedControlPlane) => void;
}

export interface ApiServerControllerOptions extends ComponentControllerOptions {
  readonly serves: ApiServerDependencies["serves"];
}

export function apiServerDependencies(
  options: ApiServerControllerOptions,
): OfReconcile<ApiServerDependencies> {
  const { client, cache, imageRepository = defaultImageRepository } = options;
  const shared = componentDependencies<NestedAPIServer>(apiServers, {
    ...options,
    imageRepository,
  });
  return (signal) => {
    const resource = withSignal(client, signal).resource<NestedControlPlane>(controlPlanes);
    return {
      rookeryImage: options.rookeryImage ?? defaultRookeryImage,
      ...shared(signal),
      getSiblings: (home) => siblingsOf(home, cache),
      serves: options.serves,
      askPod: (address) => askPod(address, { signal }),
      certificateOf: (address) => certificateOf(address, { signal }),
      commitControlPlane: createResourceCommitter(resource),
    };
  };
}
