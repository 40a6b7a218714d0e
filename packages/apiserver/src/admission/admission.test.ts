import assert from "node:assert/strict";
import { test } from "node:test";
import { forbiddenError, type KubeObject } from "@rookery/kube";
import { createStored, greeting, group, path } from "../../test/stored.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "./admission.ts";

function recorder(seen: AdmissionAttributes[]): AdmissionPlugin {
  return {
    name: "recorder",
    operations: ["CREATE", "UPDATE", "DELETE"],
    mutate: ({ object }) => ({ ...(object as KubeObject), spec: { name: "admitted" } }),
    validate: (attributes) => {
      seen.push(attributes);
    },
  };
}

test("admission changes what is written, and sees what it was", async () => {
  const seen: AdmissionAttributes[] = [];
  const { ask, store } = createStored({}, { admission: [recorder(seen)] });
  await ask(`${path}?fieldManager=me`, { body: greeting() });
  const stored = store.objects.get("/x");
  assert.deepEqual(stored?.spec, { name: "admitted" });
  await ask(`${path}/x`, { method: "PUT", body: stored });
  await ask(`${path}/x`, { method: "DELETE" });
  assert.deepEqual(
    seen.map(({ operation, name, user, object, oldObject }) => [
      operation,
      name,
      user.name,
      object?.kind,
      oldObject?.kind,
    ]),
    [
      ["CREATE", "x", "jane", "Greeting", undefined],
      ["UPDATE", "x", "jane", "Greeting", "Greeting"],
      ["DELETE", "x", "jane", undefined, "Greeting"],
    ],
  );
});

test("plugins that mutate are asked once more where one of them wants it", async () => {
  const rounds: boolean[] = [];
  const counts: AdmissionPlugin = {
    name: "counts",
    operations: ["CREATE"],
    mutate: ({ object, reinvocation }) => {
      rounds.push(reinvocation.isReinvocation);
      reinvocation.request();
      return object as KubeObject;
    },
  };
  const { ask } = createStored({}, { admission: [counts] });
  await ask(path, { body: greeting() });
  assert.deepEqual(rounds, [false, true]);
});

test("what a plugin got from elsewhere is read as a body is", async () => {
  const foreign: AdmissionPlugin = {
    name: "foreign",
    operations: ["CREATE"],
    mutate: ({ object, decode }) =>
      decode({ ...object, spec: { name: "foreign", nobodyKnows: "this" } }),
  };
  const { ask, store } = createStored({}, { admission: [foreign] });
  await ask(path, { body: greeting() });
  assert.deepEqual(store.objects.get("/x")?.spec, { name: "foreign", times: 1 });
});

test("what admission refuses is not written, and what it changes is validated", async () => {
  const refuse: AdmissionPlugin = {
    name: "refuse",
    operations: ["CREATE"],
    validate: () => {
      throw forbiddenError({ group, resource: "greetings" }, "x", "not today");
    },
  };
  const breaks: AdmissionPlugin = {
    name: "breaks",
    operations: ["CREATE"],
    mutate: ({ object }) => ({ ...(object as KubeObject), spec: {} }),
  };
  const refused = createStored({}, { admission: [refuse] });
  assert.equal((await refused.ask(path, { body: greeting() })).status, 403);
  assert.equal(refused.store.objects.size, 0);
  const broken = createStored({}, { admission: [breaks] });
  assert.equal((await broken.ask(path, { body: greeting() })).status, 422);
});
