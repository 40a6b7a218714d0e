import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { StatefulSet } from "../manifests/kinds.ts";
import { backendQuota, storageInUse, storageProblem } from "./storage.ts";

test("the database leaves room in its volume, and never grows past what etcd advises", () => {
  assert.equal(backendQuota("1Gi"), Math.floor(0.6 * 1024 ** 3));
  assert.equal(backendQuota("1G"), 600_000_000);
  assert.equal(backendQuota("100Gi"), 8 * 1024 ** 3);
});

const made = (size: string, storageClassName?: string) =>
  ({
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: {},
    spec: {
      volumeClaimTemplates: [
        {
          spec: {
            ...(storageClassName && { storageClassName }),
            resources: { requests: { storage: size } },
          },
        },
      ],
    },
  }) as unknown as StatefulSet;

test("the storage in use is that of the claims, whatever the spec says", () => {
  const expected = { size: "2Gi", storageClassName: "fast" };
  assert.deepEqual(storageInUse(made("2Gi", "fast")), expected);
  assert.equal(storageInUse(undefined), undefined);
});

describe("volumes that the spec wants otherwise", () => {
  const problem = (spec: Parameters<typeof storageProblem>[0], live: StatefulSet) =>
    storageProblem(spec, live) ?? "";

  test("are told, with what there is", () => {
    const why = problem({ storage: { size: "8Gi", storageClassName: "fast" } }, made("1Gi"));
    assert.match(
      why,
      /says 8Gi of fast, and the volumes were made as 1Gi: .*; set spec.storage back/,
    );
    const other = { storage: { size: "1Gi", storageClassName: "fast" } };
    assert.match(problem(other, made("1Gi", "slow")), /1Gi of fast.*1Gi of slow/);
  });

  test("are none where only the words differ, or a patch says what they are", () => {
    assert.equal(problem({ storage: { size: "1024Mi" } }, made("1Gi", "fast")), "");
    const patch = {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      spec: { volumeClaimTemplates: [] },
    };
    assert.equal(problem({ storage: { size: "1Gi" }, patches: [patch] }, made("9Gi")), "");
  });
});
