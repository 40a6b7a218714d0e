import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type KubeObject, StatusError } from "@rookery/kube";
import { drainMessage, evictionFailure } from "./drain-node.ts";

const pods = (...names: readonly string[]): KubeObject[] =>
  names.map((name) => ({ apiVersion: "v1", kind: "Pod", metadata: { namespace: "a", name } }));

const refused = (fields: Partial<StatusError["status"]>) =>
  new StatusError({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", ...fields });

describe("what a drain waits for", () => {
  it("is nothing where no pod is left", () => {
    assert.equal(drainMessage({ terminating: [], staying: new Map() }), undefined);
  });

  it("names three pods, then how many more there are", () => {
    const message = drainMessage({
      terminating: pods("d", "c", "b", "a", "e"),
      staying: new Map(),
    });
    assert.equal(
      message,
      "* Pods a/a, a/b, a/c, ... (2 more): deletionTimestamp set, but still not removed from the Node",
    );
  });

  it("names five reasons, and how many pods have others", () => {
    const staying = new Map("fedcbag".split("").map((why) => [why, pods(why)]));
    const lines = drainMessage({ terminating: [], staying })?.split("\n") ?? [];
    assert.equal(lines.length, 6);
    assert.equal(lines[0], "* Pod a/a: failed to evict Pod, a");
    assert.equal(lines[5], "* 2 Pods with other issues");
  });
});

describe("why a pod could not be evicted", () => {
  it("names the budget that keeps it", () => {
    const message = "Cannot evict pod as it would violate the pod's disruption budget.";
    const causes = [{ reason: "DisruptionBudget", message: "The disruption budget b needs 1" }];
    const why = evictionFailure(
      refused({ code: 429, reason: "TooManyRequests", message, details: { causes } }),
    );
    assert.equal(why, `${message} The disruption budget b needs 1`);
    assert.equal(
      drainMessage({ terminating: [], staying: new Map([[why, pods("p")]]) }),
      "* Pod a/p: cannot evict pod as it would violate the pod's disruption budget. The disruption budget b needs 1",
    );
  });

  it("is a namespace that ends, or whatever else was said", () => {
    const causes = [{ reason: "NamespaceTerminating", message: "" }];
    const ending = refused({ code: 403, reason: "Forbidden", message: "no", details: { causes } });
    assert.match(evictionFailure(ending), /^Cannot evict pod from terminating namespace: /);
    assert.equal(evictionFailure(refused({ code: 500, message: "broken" })), "broken");
  });
});
