import assert from "node:assert/strict";
import { test } from "node:test";
import { etcdMemberHost, leafSecret, leaves } from "./names.ts";

test("client certificates are called as the proposal says, serving ones apart from them", () => {
  assert.deepEqual(
    leaves.map((leaf) => leafSecret("c", leaf)),
    [
      "c-etcd-client-cert",
      "c-etcd-health-client-cert",
      "c-proxy-client-cert",
      "c-kubelet-client-cert",
      "c-controller-manager-client-cert",
      "c-apiserver-serving-cert",
      "c-etcd-serving-cert",
    ],
  );
});

test("a member of etcd has the name that its StatefulSet and headless Service give it", () => {
  assert.equal(etcdMemberHost("c", "team", 2), "c-etcd-2.c-etcd.team.svc");
});
