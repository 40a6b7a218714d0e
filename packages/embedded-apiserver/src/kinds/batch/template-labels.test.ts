import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Job } from "@rookery/api";
import { jobKind } from "./job.ts";

function created(metadata: Job["metadata"]): Job {
  const managedFields = [{ manager: "kubectl", fieldsV1: { "f:spec": {} } }];
  const job: Job = {
    metadata: { name: "j", uid: "u", managedFields, ...metadata },
    spec: { template: { metadata: { labels: { b: "2", a: "1" } } } },
  };
  jobKind.defaults?.(job);
  jobKind.prepareForCreate?.(job);
  return job;
}

describe("a new job", () => {
  it("without labels has those of its pods, of which its creator manages what was there", () => {
    const { metadata } = created({});
    assert.deepEqual(metadata?.labels, {
      a: "1",
      b: "2",
      "job-name": "j",
      "batch.kubernetes.io/job-name": "j",
      "controller-uid": "u",
      "batch.kubernetes.io/controller-uid": "u",
    });
    assert.deepEqual(metadata?.managedFields?.[0]?.fieldsV1, {
      "f:spec": {},
      "f:metadata": { "f:labels": { ".": {}, "f:a": {}, "f:b": {} } },
    });
  });

  it("keeps labels of its own, also where they are those of its pods", () => {
    const { metadata } = created({ labels: { b: "2", a: "1" } });
    assert.deepEqual(metadata?.labels, { b: "2", a: "1" });
    assert.deepEqual(metadata?.managedFields?.[0]?.fieldsV1, { "f:spec": {} });
  });
});
