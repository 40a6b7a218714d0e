import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Job } from "@rookery/api";
import { check } from "../meta/rules.ts";
import { generatedSelector, generateSelector } from "./generated-selector.ts";
import { jobKind } from "./job.ts";

function job(fields: Job["spec"] = {}): Job {
  const made = { metadata: { name: "j", uid: "u" }, spec: { template: {}, ...fields } };
  generateSelector(made);
  return made;
}

const generated = {
  "job-name": "j",
  "batch.kubernetes.io/job-name": "j",
  "controller-uid": "u",
  "batch.kubernetes.io/controller-uid": "u",
};

describe("the selector of a job", () => {
  it("is made of its uid, which its pods have as a label", () => {
    const { spec } = job();
    assert.deepEqual(spec?.selector?.matchLabels, { "batch.kubernetes.io/controller-uid": "u" });
    assert.deepEqual(spec?.template?.metadata?.labels, generated);
    assert.deepEqual(check(generatedSelector, job(), {}), []);
  });

  it("leaves other labels of pods where they are", () => {
    const { spec } = job({ template: { metadata: { labels: { a: "b" } } } });
    assert.deepEqual(spec?.template?.metadata?.labels, { ...generated, a: "b" });
  });

  it("is left to those who bring one", () => {
    const { spec } = job({ manualSelector: true });
    assert.equal(spec?.selector, undefined);
    assert.equal(spec?.template?.metadata, undefined);
  });

  it("is refused where a client has set it to that of another job", () => {
    const other = job({
      selector: { matchLabels: { "batch.kubernetes.io/controller-uid": "v" } },
      template: { metadata: { labels: { "job-name": "k" } } },
    });
    assert.deepEqual(
      check(generatedSelector, other, {}).map(({ field }) => field),
      ["spec.template.metadata.labels[job-name]", "spec.selector"],
    );
  });
});

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
