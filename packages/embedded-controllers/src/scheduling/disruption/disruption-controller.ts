import type { Pod, PodDisruptionBudget } from "@rookery/api";
import type { StoreEntry, StoreEvent, StoreReader } from "@rookery/kube";
import {
  builtInResources,
  type Condition,
  deepEqual,
  type KubeObject,
  type LabelSelector,
  labelSelectorAsSelector,
  setCondition,
  storedObject,
  storedObjects,
} from "@rookery/kube";
import { type Controller, type Request, requestForEntry, requeueAfter } from "@rookery/runtime";
import { type ControllerContext, fieldManager } from "../../context/context.ts";
import { createStoreController } from "../../context/store-controller.ts";
import { budgetStatus, nextRecheck } from "./budget-status.ts";

const budgets = builtInResources.podDisruptionBudgets;
const resource = "poddisruptionbudgets.policy";

/** Keeps account of how many of their pods PodDisruptionBudgets can do without. */
export function createDisruptionController(context: ControllerContext): Controller {
  const { store, client } = context;
  return createStoreController(context, {
    name: "disruption-controller",
    watches: {
      [resource]: requestForEntry,
      pods: budgetsOfPod(store),
      "replicasets.apps": budgetsNear(store),
      "deployments.apps": budgetsNear(store),
      "statefulsets.apps": budgetsNear(store),
    },
    reconcile: async (key, signal) => {
      const budget = storedObject<PodDisruptionBudget>(store, { resource, ...key });
      if (budget === undefined) return undefined;
      const pods = podsOf(budget, store);
      const status = withCondition(budget, budgetStatus(budget, pods, context), context);
      if (!deepEqual(status, budget.status)) {
        const { status: written } = client.resource(budgets);
        await written.update({ ...budget, status } as KubeObject, { fieldManager, signal });
      }
      const seconds = nextRecheck(status, context.now());
      return seconds === undefined ? undefined : requeueAfter(seconds);
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

function podsOf({ metadata, spec }: PodDisruptionBudget, store: StoreReader): readonly Pod[] {
  const selector = labelSelectorAsSelector(spec?.selector as LabelSelector | undefined);
  return storedObjects<Pod>(store, "pods", metadata?.namespace ?? "").filter((pod) =>
    selector.matches(pod.metadata?.labels ?? {}),
  );
}

function budgetsOfPod(store: StoreReader) {
  return (entry: StoreEntry, event?: StoreEvent): readonly Request[] => {
    // At the start, the budgets themselves are reconciled.
    if (event === undefined) return [];
    return budgetsNear(store)(entry);
  };
}

/** All of the namespace: they are few. */
function budgetsNear(store: StoreReader) {
  return ({ namespace }: StoreEntry): readonly Request[] =>
    store.list(resource, { namespace }).entries.map(({ name }) => ({ namespace, name }));
}
