import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { NestedCluster, NestedControllerManager } from "@rookery/api";
import { type Condition, getCondition, statusError } from "@rookery/kube";
import type { FailedReconcile } from "@rookery/runtime";
import { ComponentWorld, cluster, namespace } from "../test/component/component-world.ts";
import { clusterLifecycle } from "./cluster/reconcile.ts";
import { controllerManagerLifecycle } from "./controller-manager/reconcile.ts";
import { findingOf } from "./error-findings.ts";
import * as errors from "./errors.ts";

/** One error of each type of the package. */
const own: Record<keyof typeof errors, Error> = {
  ComponentError: new errors.ComponentError("VersionSkew", "too new"),
  ControlPlaneError: new errors.ControlPlaneError("ComponentMissing", "not there"),
  EtcdRequestError: new errors.EtcdRequestError("/v3/x", "<script>"),
  ServiceRangeError: new errors.ServiceRangeError("10", "no mask"),
};

const metadata = { namespace, name: cluster, generation: 1 };
const lastTransitionTime = "2026-01-01T00:00:00Z";
const ready: Condition = {
  type: "Ready",
  status: "True",
  reason: "Ready",
  message: "",
  lastTransitionTime,
};

/** A NestedCluster and a component whose reconciles fail. */
class Scene {
  readonly world = new ComponentWorld();
  nestedCluster: NestedCluster = {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha4",
    kind: "NestedCluster",
    metadata,
    status: { conditions: [ready] },
  };

  putComponent(conditions: Condition[]): void {
    this.world.put<NestedControllerManager>({
      apiVersion: "controlplane.cluster.x-k8s.io/v1alpha4",
      kind: "NestedControllerManager",
      metadata,
      spec: { replicas: 1 },
      status: { conditions },
    });
  }

  async reportOfCluster(error: unknown): Promise<string | undefined> {
    await clusterLifecycle.reportError?.(failedWith(error), {
      get: async () => this.nestedCluster,
      commit: async (_, desired) => {
        this.nestedCluster = desired;
        return desired;
      },
      getOwner: async () => undefined,
      getControlPlane: async () => undefined,
      setControlPlane: async () => {},
      clock: () => new Date(0),
    });
    return conditionOf(this.nestedCluster, "Ready");
  }

  async reportOfComponent(error: unknown): Promise<(string | undefined)[]> {
    const kind = "NestedControllerManager";
    const scope = this.world.scope<NestedControllerManager>(kind);
    await controllerManagerLifecycle.reportError?.(failedWith(error), scope);
    const component = this.world.get<NestedControllerManager>(kind, cluster);
    return ["Ready", "UpToDate"].map((type) => conditionOf(component, type));
  }
}

function failedWith(error: unknown): FailedReconcile {
  const request = { namespace, name: cluster };
  return { request, error, attempt: 9, signal: new AbortController().signal };
}

type Conditioned = { readonly status?: { readonly conditions?: readonly Condition[] } };

function conditionOf({ status }: Conditioned, type: string): string | undefined {
  const found = getCondition(status?.conditions, type);
  return found && `${found.status} ${found.reason}`;
}

describe("an error of a reconcile", () => {
  for (const [name, error] of Object.entries(own)) {
    test(`that is a ${name} has a reason and a message of its own`, () => {
      const finding = findingOf(error);
      assert.ok(finding);
      assert.ok(!finding.message.includes("<script>"), "words of a tenant's pod");
    });
  }

  const others = {
    "a refusal": [statusError({ code: 403, reason: "Forbidden", message: "quota" }), "Forbidden"],
    "a fault of ours": [new TypeError("undefined is no function"), "InternalError"],
    "no error at all": ["text", "InternalError"],
  } as const;
  for (const [name, [error, reason]] of Object.entries(others)) {
    test(`that is ${name} takes back that the object is ready`, async () => {
      assert.equal(await new Scene().reportOfCluster(error), `False ${reason}`);
    });

    test(`that is ${name} leaves a component that serves as ready, and not up to date`, async () => {
      const scene = new Scene();
      const failed = `False ${reason}`;
      scene.putComponent([]);
      assert.deepEqual(await scene.reportOfComponent(error), [failed, failed]);
      scene.putComponent([ready]);
      assert.deepEqual(await scene.reportOfComponent(error), ["True Ready", failed]);
    });
  }
});
