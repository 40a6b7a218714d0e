import type { Pod, PodDisruptionBudget } from "@rookery/api";
import {
  type Condition,
  deepEqual,
  type KubeObject,
  type LabelSelector,
  labelSelectorAsSelector,
  setCondition,
} from "@rookery/kube";
import {
  type Controller,
  createController,
  done,
  type Request,
  requeueAfter,
} from "@rookery/runtime";
import { type ControllerContext, fieldManager } from "../../controllers/context.ts";
import { isOvertaken } from "../../controllers/overtaken.ts";
import { builtIn } from "../../controllers/resources.ts";
import { requestForEntry, storeSource } from "../../controllers/store-source.ts";
import { storedObject, storedObjects } from "../../controllers/stored-objects.ts";
import type { Entry, Store, StoreEvent } from "../../store/store.ts";
import { budgetStatus, nextRecheck } from "./budget-status.ts";

const budgets = builtIn("policy", "PodDisruptionBudget", "Namespaced");
const resource = "poddisruptionbudgets.policy";

/** Keeps account of how many of their pods PodDisruptionBudgets can do without. */
export function createDisruptionController(context: ControllerContext): Controller {
  const { store, client } = context;
  return createController({
    name: "disruption-controller",
    logger: context.logger,
    sources: [
      storeSource({ store, resource, requestsOf: requestForEntry }),
      storeSource({ store, resource: "pods", requestsOf: budgetsOfPod(store) }),
      ...["replicasets.apps", "deployments.apps", "statefulsets.apps"].map((workload) =>
        storeSource({ store, resource: workload, requestsOf: budgetsNear(store) }),
      ),
    ],
    reconcile: async ({ namespace = "", name }, signal) => {
      const budget = storedObject<PodDisruptionBudget>(store, { resource, namespace, name });
      if (budget === undefined) return done;
      const pods = podsOf(budget, store);
      const status = withCondition(budget, budgetStatus(budget, pods, context), context);
      try {
        if (!deepEqual(status, budget.status)) {
          const { status: written } = client.resource(budgets);
          await written.update({ ...budget, status } as KubeObject, { fieldManager, signal });
        }
      } catch (error) {
        if (!isOvertaken(error)) throw error;
      }
      const seconds = nextRecheck(status, context.now());
      return seconds === undefined ? done : requeueAfter(seconds);
    },
  });
}

function withCondition(
  { metadata }: PodDisruptionBudget,
  status: NonNullable<PodDisruptionBudget["status"]>,
  { now }: ControllerContext,
) {
  const isAllowed = (status.disruptionsAllowed ?? 0) > 0;
  const statement = {
    type: "DisruptionAllowed",
    status: isAllowed ? ("True" as const) : ("False" as const),
    observedGeneration: metadata?.generation ?? 0,
    reason: isAllowed ? "SufficientPods" : "InsufficientPods",
    message: "",
  };
  const known = (status.conditions ?? []) as unknown as readonly Condition[];
  return { ...status, conditions: [...setCondition(known, statement, now)] };
}

function podsOf({ metadata, spec }: PodDisruptionBudget, store: Store): readonly Pod[] {
  const selector = labelSelectorAsSelector(spec?.selector as LabelSelector | undefined);
  return storedObjects<Pod>(store, "pods", metadata?.namespace ?? "").filter((pod) =>
    selector.matches(pod.metadata?.labels ?? {}),
  );
}

function budgetsOfPod(store: Store) {
  return (entry: Entry, event?: StoreEvent): readonly Request[] => {
    // When it starts, the budgets themselves are looked at.
    if (event === undefined) return [];
    return budgetsNear(store)(entry);
  };
}

/** All of the namespace: they are few. */
function budgetsNear(store: Store) {
  return ({ namespace }: Entry): readonly Request[] =>
    store.list(resource, { namespace }).entries.map(({ name }) => ({ namespace, name }));
}
