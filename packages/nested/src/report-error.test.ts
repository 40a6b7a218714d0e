import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Condition, getCondition, type KubeObject, statusError } from "@rookery/kube";
import { findingOf } from "./error-findings.ts";
import * as errors from "./errors.ts";
import { reportComponentError, reportError } from "./report-error.ts";

type Conditioned = KubeObject<unknown, { readonly conditions?: readonly Condition[] }>;

/** One error of each type of the package. */
const own: Record<keyof typeof errors, Error> = {
  ComponentError: new errors.ComponentError("VersionSkew", "too new"),
  ControlPlaneError: new errors.ControlPlaneError("ComponentMissing", "not there"),
  EtcdRequestError: new errors.EtcdRequestError("/v3/x", "<script>"),
  ServiceRangeError: new errors.ServiceRangeError("10", "no mask"),
};

class Scene {
  object: Conditioned = {
    apiVersion: "controlplane.cluster.x-k8s.io/v1alpha4",
    kind: "NestedAPIServer",
    metadata: { namespace: "team", name: "tenant", generation: 1 },
  };
  readonly parts = {
    get: async () => this.object,
    commit: async (_: Conditioned, desired: Conditioned) => {
      this.object = desired;
      return desired;
    },
    clock: () => new Date(0),
  };

  failed(error: unknown) {
    const request = { namespace: "team", name: "tenant" };
    return { request, error, attempt: 9, signal: new AbortController().signal };
  }

  said(type: string): string | undefined {
    const found = getCondition(this.object.status?.conditions, type);
    return found && `${found.status} ${found.reason}`;
  }

  ready(): void {
    const lastTransitionTime = "2026-01-01T00:00:00Z";
    const ready = { type: "Ready", status: "True", reason: "Ready", message: "" } as const;
    this.object = { ...this.object, status: { conditions: [{ ...ready, lastTransitionTime }] } };
  }
}

describe("an error of a reconcile", () => {
  for (const [name, error] of Object.entries(own)) {
    test(`that is a ${name} has a reason and a message of its own`, () => {
      const statement = findingOf(error);
      assert.ok(statement);
      assert.ok(!statement.message.includes("<script>"), "words of a tenant's pod");
    });
  }

  const others = {
    "a refusal": [statusError({ code: 403, reason: "Forbidden", message: "quota" }), "Forbidden"],
    "a fault of ours": [new TypeError("undefined is no function"), "InternalError"],
    "no error at all": ["text", "InternalError"],
  } as const;
  for (const [name, [error, reason]] of Object.entries(others)) {
    test(`that is ${name} takes back that the object is ready`, async () => {
      const scene = new Scene();
      scene.ready();
      await reportError(scene.failed(error), scene.parts);
      assert.equal(scene.said("Ready"), `False ${reason}`);
    });

    test(`that is ${name} leaves a component that serves as ready, and not up to date`, async () => {
      const scene = new Scene();
      await reportComponentError(scene.failed(error), scene.parts);
      assert.equal(scene.said("Ready"), `False ${reason}`);
      scene.ready();
      await reportComponentError(scene.failed(error), scene.parts);
      assert.equal(scene.said("Ready"), "True Ready");
      assert.equal(scene.said("UpToDate"), `False ${reason}`);
    });
  }
});
