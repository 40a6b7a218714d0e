import type { Kind } from "../../declaration/kind.ts";
import { cluster } from "./cluster.ts";
import { clusterResourceSet, clusterResourceSetBinding } from "./cluster-resource-set.ts";
import { machine } from "./machine.ts";

/**
 * The kinds of Cluster API's core that the embedded mode serves. They are not among `kinds`: on a real
 * cluster they belong to the real core, and applying all of ours must not replace them.
 */
export const coreKinds: readonly Kind[] = [
  cluster,
  clusterResourceSet,
  clusterResourceSetBinding,
  machine,
];
