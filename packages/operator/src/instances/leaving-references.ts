import { clusterApiGroup } from "@rookery/cluster-api";
import type { KubeObject, Resource } from "@rookery/kube";
import { watchTargetsOf } from "@rookery/runtime";
import { has, type NamespaceSet, scopeOf } from "../identity/namespace-set.ts";
import { isCore, suffixOf } from "./core-of.ts";
import { describeInstance, type Family, type Instance } from "./family.ts";
import type { InstanceWarning } from "./instance-warning.ts";
import { type ServedKindDependencies, servedKind } from "./served-kind.ts";

interface Cluster extends KubeObject {
  readonly spec?: {
    readonly topology?: {
      readonly classNamespace?: string;
      readonly classRef?: { readonly namespace?: string };
    };
  };
}

/** Up to how many namespaces are asked for one by one, or left out by name. */
const mostTargets = 50;
/** How many references are named. */
const shown = 3;

/**
 * Clusters of an instance whose ClusterClass is in a namespace that it does not watch. Only cores read
 * ClusterClasses, and each tells of what it claims, whether it is installed yet or not.
 */
export async function referenceWarnings(
  { self }: Family,
  dependencies: ServedKindDependencies,
): Promise<InstanceWarning[]> {
  if (!isCore(self.view)) return [];
  const group = suffixOf(self.view) ?? clusterApiGroup;
  const resource = await servedKind(`clusters.${group}`, dependencies);
  if (resource === undefined) return [];
  const leaving: string[] = [];
  for (const target of targetsOf(self.claim, resource)) {
    leaving.push(...(await leavingIn(target, { self, resource, ...dependencies })));
  }
  if (leaving.length === 0) return [];
  const more = leaving.length > shown ? ` and ${leaving.length - shown} more` : "";
  const message =
    `references leave the namespaces of their instance: ${leaving.slice(0, shown).join("; ")}${more}; ` +
    "let one instance watch both namespaces, or put the ClusterClass beside the Cluster";
  return [{ reason: "ReferencesLeaveScope", message }];
}

type Target = ReturnType<typeof watchTargetsOf>[number];

/** What is claimed, in few requests; more may come, and is passed over. */
function targetsOf(claim: NamespaceSet, resource: Resource): readonly Target[] {
  return claim.names.length <= mostTargets ? watchTargetsOf(scopeOf(claim), resource) : [{}];
}

async function leavingIn(
  target: Target,
  options: ServedKindDependencies & { readonly self: Instance; readonly resource: Resource },
): Promise<readonly string[]> {
  const { self, resource, client, signal } = options;
  const found: string[] = [];
  const clusters = client.resource<Cluster>(resource);
  await clusters.listPages({ ...target, signal }, ({ list, restarted }) => {
    if (restarted) found.length = 0;
    for (const { metadata, spec } of list.items) {
      const { namespace = "", name } = metadata;
      const to = spec?.topology?.classRef?.namespace ?? spec?.topology?.classNamespace;
      if (!to || !has(self.claim, namespace) || has(self.claim, to)) continue;
      found.push(
        `Cluster ${namespace}/${name} to ${to}, which ${describeInstance(self)} does not watch`,
      );
    }
  });
  return found;
}
