import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { type Answer, type Kubernetes, play, startKubernetes } from "@rookery/testing";
import { recordedAnswers, recordedAnswersFile } from "./registry-answers.ts";
import { comparable, nestDefinition, registryScenarios } from "./registry-scenarios.ts";

/** Then answers are kept; unit tests compare storages with them. */
const recording = process.env.ROOKERY_CONFORMANCE === "record";

// A version that is yet to come is waited for: at the same time.
describe("a real kube-apiserver answers as it was recorded", { concurrency: true }, () => {
  let kubernetes: Kubernetes;
  const answers: Record<string, readonly Answer[]> = {};

  before(async () => {
    kubernetes = await startKubernetes();
    await kubernetes.applyCrd(nestDefinition);
  });

  after(async () => {
    const ordered = registryScenarios.map(({ name }) => [name, answers[name]]);
    const text = JSON.stringify(Object.fromEntries(ordered), undefined, 1);
    if (recording) writeFileSync(recordedAnswersFile, `${text}\n`);
    const { name } = nestDefinition.metadata;
    const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    await kubernetes?.request("DELETE", `${crds}/${name}`);
    await kubernetes?.[Symbol.asyncDispose]();
  });

  for (const scenario of registryScenarios) {
    test(scenario.name, async () => {
      const { answers: played, namespace } = await play(scenario, kubernetes);
      const found = comparable(played, namespace);
      answers[scenario.name] = found;
      if (!recording) assert.deepEqual(found, recordedAnswers()[scenario.name]);
    });
  }
});
