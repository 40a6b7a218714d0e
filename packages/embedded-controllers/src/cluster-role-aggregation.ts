import type { ClusterRole, PolicyRule } from "@rookery/api";
import type { StoreReader } from "@rookery/kube";
import {
  builtInResources,
  deepEqual,
  type KubeObject,
  labelSelectorAsSelector,
} from "@rookery/kube";
import { type Controller, createController, done } from "@rookery/runtime";
import type { ControllerContext } from "./context/context.ts";

const resource = "clusterroles.rbac.authorization.k8s.io";

/** Fills ClusterRoles that select others with the rules of those. */
export function createClusterRoleAggregation(context: ControllerContext): Controller {
  const { store, client } = context;
  return createController({
    name: "clusterrole-aggregation-controller",
    logger: context.logger,
    sources: [
      {
        name: resource,
        start(queue, signal) {
          const addAll = () => {
            for (const name of aggregatedNames(store)) queue.add({ namespace: "", name });
          };
          const subscription = store.watch(resource, store.revision, addAll);
          signal.addEventListener("abort", () => subscription.close(), { once: true });
          addAll();
        },
      },
    ],
    reconcile: async ({ name }, signal) => {
      const role = store.get({ resource, namespace: "", name })?.object as ClusterRole | undefined;
      if (role?.aggregationRule === undefined) return done;
      const rules = aggregatedRules(role, store);
      if (deepEqual(rules, role.rules ?? [])) return done;
      const { apiVersion = "", kind = "" } = role;
      const object = { apiVersion, kind, metadata: { name }, rules } as KubeObject;
      const fieldManager = "clusterrole-aggregation-controller";
      const roles = client.resource(builtInResources.clusterRoles);
      await roles.apply(object, { fieldManager, force: true, signal });
      return done;
    },
  });
}

function rolesOf(store: StoreReader): ClusterRole[] {
  return store.list(resource).entries.map(({ object }) => object as ClusterRole);
}

function aggregatedNames(store: StoreReader): string[] {
  const aggregated = rolesOf(store).filter(({ aggregationRule }) => aggregationRule !== undefined);
  return aggregated.map(({ metadata }) => metadata?.name ?? "");
}

/** The rules of all roles that are selected, by name, each once. */
function aggregatedRules(
  { metadata, aggregationRule }: ClusterRole,
  store: StoreReader,
): PolicyRule[] {
  const rules: PolicyRule[] = [];
  for (const each of aggregationRule?.clusterRoleSelectors ?? []) {
    const selector = labelSelectorAsSelector(each as Parameters<typeof labelSelectorAsSelector>[0]);
    for (const other of rolesOf(store)) {
      if (other.metadata?.name === metadata?.name) continue;
      if (!selector.matches(other.metadata?.labels ?? {})) continue;
      for (const rule of other.rules ?? []) {
        if (!rules.some((known) => deepEqual(known, rule))) rules.push(rule);
      }
    }
  }
  return rules;
}
