import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Kubernetes } from "@rookery/testing";
import { play } from "@rookery/testing";
import { serveRegistry } from "../../test/registry/registry-server.ts";
import { recordedAnswers } from "../../test/registry-answers.ts";
import { comparable, nest, registryScenarios } from "../../test/registry-scenarios.ts";

describe("storages answer as a real kube-apiserver did", () => {
  for (const scenario of registryScenarios) {
    it(scenario.name, async () => {
      await using server = await serveRegistry(nest);
      const { answers, namespace } = await play(scenario, server as unknown as Kubernetes);
      const found = comparable(answers, namespace);
      const real = recordedAnswers()[scenario.name] ?? [];
      scenario.exchanges.forEach(({ what, silent }, index) => {
        if (!silent) assert.deepEqual(found[index], real[index], what);
      });
    });
  }
});
