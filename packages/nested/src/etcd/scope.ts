import type { NestedEtcd } from "@rookery/api";
import type { ControlPlaneOf } from "../component/home.ts";
import { defaultImageRepository } from "../component/images.ts";
import {
  type ComponentControllerOptions,
  type ComponentDependencies,
  componentDependencies,
  type OfReconcile,
} from "../component/scope.ts";
import { type Siblings, siblingsOf } from "../component/siblings.ts";
import { etcds } from "../resources.ts";
import { createEtcdGateway, type EtcdGateway, type EtcdGatewayOptions } from "./gateway.ts";

/** What one reconcile of a NestedEtcd needs of the world. */
export interface EtcdDependencies extends ComponentDependencies<NestedEtcd> {
  readonly getSiblings: (home: ControlPlaneOf) => Promise<Siblings>;
  readonly connect: (options: Omit<EtcdGatewayOptions, "signal">) => EtcdGateway;
}

export function etcdDependencies(
  options: ComponentControllerOptions,
): OfReconcile<EtcdDependencies> {
  const { imageRepository = defaultImageRepository } = options;
  const shared = componentDependencies<NestedEtcd>(etcds, { ...options, imageRepository });
  return (signal) => ({
    ...shared(signal),
    getSiblings: (home) => siblingsOf(home, options.cache),
    connect: (place) => createEtcdGateway({ ...place, signal }),
  });
}
