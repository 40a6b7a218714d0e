import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type LoggedReconcile, reconcilesIn, successionsIn } from "./logged-reconciles.ts";

const klog =
  '2026-11-15T19:00:00.000000001Z I1115 19:00:00.000001       1 controller.go:478] "Reconciling" ' +
  'controller="cluster" controllerKind="Cluster" Cluster="watch1/a" reconcileID="1"\n';
const json =
  '2026-11-15T19:00:00.000000002Z {"level":"debug","ts":"x","controller":"nestedcluster",' +
  '"namespace":"watch2","name":"b","reconcileID":"2","msg":"Reconciling"}\n';

describe("reconciles in a log", () => {
  it("are found as stock managers write them, and as ours do", () => {
    const others =
      '2026-11-15T19:00:00.000000003Z {"msg":"Starting workers"}\n' +
      '2026-11-15T19:00:00.000000004Z I1115 x] "Reconcile successful" controllerKind="Cluster" Cluster="watch1/a"\n' +
      '2026-11-15T19:00:00.000000005Z I1115 x] "Reconciling" controllerKind="Node" Node="clusters.x-k8s.io"\n' +
      '2026-11-15T19:00:00.000000006Z {"msg":"Reconc';
    assert.deepEqual(reconcilesIn("capi1-system", klog + json + others), [
      {
        time: "2026-11-15T19:00:00.000000001Z",
        instance: "capi1-system",
        namespace: "watch1",
        name: "a",
      },
      {
        time: "2026-11-15T19:00:00.000000002Z",
        instance: "capi1-system",
        namespace: "watch2",
        name: "b",
      },
    ]);
  });

  it("tell which instances followed each other in a namespace", () => {
    const by = (instance: string, namespace: string): LoggedReconcile => ({
      instance,
      namespace,
      time: "",
      name: "",
    });
    const all = [by("x", "b"), by("x", "a"), by("x", "b"), by("y", "b"), by("x", "b")];
    assert.deepEqual(successionsIn(all), { a: "x", b: "x, y, x" });
  });
});
