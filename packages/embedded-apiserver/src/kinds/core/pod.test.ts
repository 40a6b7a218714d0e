import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Pod } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import { coreKind } from "../../../test/kinds/core/core-kind.ts";
import { qualityOf } from "./pod-create.ts";

const kind = coreKind("Pod");
const now = new Date("2026-01-01T01:00:00Z");

function cell(name: string, pod: Pod): unknown {
  const found = kind.columns.find((column) => column.name === name);
  return found?.value(pod as KubeObject, now);
}

describe("what a list of pods shows", () => {
  const deletionTimestamp = "2026-01-01T00:59:00Z";
  const rows: Readonly<Record<string, readonly [Pod, string]>> = {
    "one that is being deleted": [
      { metadata: { deletionTimestamp }, status: { phase: "Running" } },
      "Terminating",
    ],
    "one that is being deleted and has ended": [
      { metadata: { deletionTimestamp }, status: { phase: "Succeeded" } },
      "Succeeded",
    ],
    "one on a node that is lost": [
      { metadata: { deletionTimestamp }, status: { phase: "Running", reason: "NodeLost" } },
      "Unknown",
    ],
    "one behind a gate": [
      {
        status: {
          phase: "Pending",
          conditions: [{ type: "PodScheduled", reason: "SchedulingGated" }],
        },
      },
      "SchedulingGated",
    ],
  };
  for (const [name, [pod, expected]] of Object.entries(rows)) {
    test(name, () => assert.equal(cell("Status", pod), expected));
  }

  test("when it was restarted last", () => {
    const lastState = { terminated: { finishedAt: "2026-01-01T00:50:00Z" } };
    const status = { containerStatuses: [{ name: "a", restartCount: 2, lastState }] };
    assert.equal(cell("Restarts", { status }), "2 (10m ago)");
  });
});

describe("the quality of a pod's resources", () => {
  const limits = { cpu: "1", memory: "1Gi" };
  const of = (resources: object, more: object = {}) =>
    qualityOf({ spec: { containers: [{ name: "a", resources }], ...more } });
  const rows: Readonly<Record<string, readonly [string, string]>> = {
    "nothing is asked for": [of({}), "BestEffort"],
    "nothing that counts is asked for": [of({ limits: { "example.com/a": "1" } }), "BestEffort"],
    "some is asked for": [of({ requests: { cpu: "1" } }), "Burstable"],
    "less is asked for than may be taken": [
      of({ limits, requests: { ...limits, cpu: "500m" } }),
      "Burstable",
    ],
    "all is asked for": [of({ limits, requests: limits }), "Guaranteed"],
    "an init container asks for nothing": [
      of({ limits, requests: limits }, { initContainers: [{ name: "b" }] }),
      "Burstable",
    ],
    "the pod asks as a whole": [of({}, { resources: { limits, requests: limits } }), "Guaranteed"],
  };
  for (const [name, [quality, expected]] of Object.entries(rows)) {
    test(name, () => assert.equal(quality, expected));
  }
});

describe("how long a pod may take to end", () => {
  const pod = (fields: object): KubeObject => ({ metadata: {}, ...fields }) as KubeObject;
  const bound = { nodeName: "n", terminationGracePeriodSeconds: 30 };
  const rows: Readonly<Record<string, readonly [object, number | undefined, number]>> = {
    "as long as it says": [{ spec: bound }, undefined, 30],
    "as long as is asked for": [{ spec: bound }, 5, 5],
    "at once where that is asked for": [{ spec: bound }, 0, 0],
    "a second where less than nothing is asked for": [{ spec: bound }, -1, 1],
    "no time where it is not bound": [{ spec: { terminationGracePeriodSeconds: 30 } }, 5, 0],
    "no time where it has ended": [{ spec: bound, status: { phase: "Failed" } }, 5, 0],
  };
  for (const [name, [fields, asked, expected]] of Object.entries(rows)) {
    test(name, () => assert.equal(kind.gracePeriodSeconds?.(pod(fields), asked), expected));
  }
});

test("field selectors see where a pod runs, and how", () => {
  const pod = {
    spec: { nodeName: "n", hostNetwork: true },
    status: { podIPs: [{ ip: "1.2.3.4" }] },
  };
  const seen = Object.entries(kind.selectableFields ?? {}).map(
    ([field, value]) => [field, value(pod as unknown as KubeObject)] as const,
  );
  assert.deepEqual(Object.fromEntries(seen), {
    "spec.nodeName": "n",
    "spec.host": "n",
    "spec.restartPolicy": "",
    "spec.schedulerName": "",
    "spec.serviceAccountName": "",
    "spec.hostNetwork": "true",
    "status.phase": "",
    "status.podIP": "1.2.3.4",
    "status.podIPs": "",
    "status.nominatedNodeName": "",
  });
});
