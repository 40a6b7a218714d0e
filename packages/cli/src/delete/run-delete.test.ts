import assert from "node:assert/strict";
import { test } from "node:test";
import type { Provider } from "@rookery/api";
import { chooseDeletions } from "./run-delete.ts";

const provider = (kind: string, namespace: string, name: string) =>
  ({
    apiVersion: "management.cluster.x-k8s.io/v1alpha1",
    kind,
    metadata: { namespace, name },
  }) as Provider;
const core = provider("CoreProvider", "capi-system", "cluster-api");
const aws = provider("InfrastructureProvider", "a", "aws");
const secondAws = provider("InfrastructureProvider", "b", "aws");
const all = [core, aws, secondAws];

test("--all is all of them, and a name the one of its kind", () => {
  assert.deepEqual(chooseDeletions({ all: true }, all), all);
  assert.deepEqual(chooseDeletions({ core: ["cluster-api"] }, all), [core]);
});

test("of several instances one has to be named by its namespace", () => {
  assert.throws(() => chooseDeletions({ infrastructure: ["aws"] }, all), {
    message:
      /aws has several instances \(InfrastructureProvider a\/aws, .* b\/aws\); name one by -n/,
  });
  const chosen = chooseDeletions({ infrastructure: ["aws"], namespace: "b" }, all);
  assert.deepEqual(chosen, [secondAws]);
});

test("what is not there, nothing, and everything with a name are refused", () => {
  assert.throws(() => chooseDeletions({ ipam: ["in-cluster"] }, all), {
    message: "could not delete: IPAMProvider in-cluster is not there",
  });
  assert.throws(() => chooseDeletions({ infrastructure: ["asw"] }, [aws]), {
    message: "could not delete: InfrastructureProvider asw is not there; did you mean aws?",
  });
  assert.throws(() => chooseDeletions({}, all), { code: "Usage" });
  assert.throws(() => chooseDeletions({ all: true, core: ["cluster-api"] }, all), {
    code: "Usage",
  });
});
