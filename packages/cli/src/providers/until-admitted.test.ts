import assert from "node:assert/strict";
import { test } from "node:test";
import { forbiddenError, internalError, notFoundError } from "@rookery/kube";
import { untilAdmitted } from "./until-admitted.ts";

const resource = { group: "management.cluster.x-k8s.io", resource: "coreproviders" };
const unheard = internalError(new Error('failed calling webhook "a": connection refused'));
const missing = notFoundError(resource, "x");

function failing(...errors: readonly Error[]) {
  const left = [...errors];
  return async () => {
    const error = left.shift();
    if (error) throw error;
    return "written";
  };
}

test("what the operator did not hear is said again, and so is a kind that is not served yet", async () => {
  assert.equal(await untilAdmitted(failing(unheard), { what: "x" }), "written");
  assert.equal(await untilAdmitted(failing(missing), { what: "x", isNew: true }), "written");
});

test("what is refused is not tried again", async () => {
  const forbidden = forbiddenError(resource, "x", "because");
  await assert.rejects(untilAdmitted(failing(forbidden), { what: "x" }), /because/);
  await assert.rejects(untilAdmitted(failing(missing), { what: "x" }), /not found/);
});

test("when the time is over, the last reason is told", async () => {
  const always = async () => {
    throw unheard;
  };
  const message = /could not wait any longer for x: .*connection refused.*pods run/;
  await assert.rejects(untilAdmitted(always, { what: "x", timeoutSeconds: 0 }), {
    code: "Wait",
    message,
  });
});
