import assert from "node:assert/strict";
import { test } from "node:test";
import { explainStuck } from "./explain-stuck.ts";

const deletionTimestamp = "2026-01-01T00:00:00Z";

test("a finalizer is told with whose it is and what to look at", () => {
  assert.equal(
    explainStuck({ deletionTimestamp, finalizers: ["awscluster.infrastructure.cluster.x-k8s.io"] }),
    "it was asked to go at 2026-01-01T00:00:00Z and waits for awscluster.infrastructure.cluster.x-k8s.io: " +
      "the controller of awscluster.infrastructure.cluster.x-k8s.io takes it off when it is done; see whether " +
      "that controller runs and its webhooks answer, and take the finalizer off by hand only if it is gone for good",
  );
});

test("a finalizer with a path belongs to its domain", () => {
  const text = explainStuck({ deletionTimestamp, finalizers: ["example.com/cleanup"] });
  assert.match(text, /the controller of example\.com takes/);
});

test("finalizers of Kubernetes say what they wait for", () => {
  const finalizers = ["customresourcecleanup.apiextensions.k8s.io", "foregroundDeletion"];
  assert.match(
    explainStuck({ deletionTimestamp, finalizers }),
    /objects of this kind are still there.*; foregroundDeletion: the garbage collector waits/,
  );
});

test("a name that every object has is no finalizer of Kubernetes", () => {
  const text = explainStuck({ deletionTimestamp, finalizers: ["toString"] });
  assert.match(text, /toString: the controller that set it takes it off/);
});

test("without finalizers it only takes a moment", () => {
  assert.match(explainStuck({ deletionTimestamp }), /no finalizers: it goes within moments/);
});

test("what is not going may have been refused to", () => {
  assert.match(explainStuck({}), /admission webhook refuses the deletion or does not answer/);
});
