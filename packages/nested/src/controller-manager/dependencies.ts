import type { NestedControllerManager } from "@rookery/api";
import type { ControlPlaneOf } from "../component/home.ts";
import { defaultImageRepository } from "../component/images.ts";
import {
  type ComponentControllerOptions,
  type ComponentDependencies,
  componentDependencies,
  type OfReconcile,
} from "../component/scope.ts";
import { type Siblings, siblingsOf } from "../component/siblings.ts";
import { controllerManagers } from "../resources.ts";

/** What one reconcile of a NestedControllerManager needs of the world. */
export interface ControllerManagerDependencies
  extends ComponentDependencies<NestedControllerManager> {
  readonly getSiblings: (home: ControlPlaneOf) => Promise<Siblings>;
}

export function controllerManagerDependencies(
  options: ComponentControllerOptions,
): OfReconcile<ControllerManagerDependencies> {
  const { cache, imageRepository = defaultImageRepository } = options;
  const all = { ...options, imageRepository };
  const shared = componentDependencies<NestedControllerManager>(controllerManagers, all);
  return (signal) => ({ ...shared(signal), getSiblings: (home) => siblingsOf(home, cache) });
}
