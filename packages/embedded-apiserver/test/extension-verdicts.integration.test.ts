import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import { apiServiceRows } from "./api-service-rows.ts";
import { type Crd, changed, createRows, goodCrd, goodCrdOf, updateRows } from "./crd-rows.ts";
import { goodWebhook, webhookRows } from "./webhook-rows.ts";

const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const recording = process.env.ROOKERY_CONFORMANCE === "record";
const answersFile = new URL("testdata/verdicts.json", import.meta.url);

/** Stored so, or refused with these words. */
type Verdict =
  | { readonly refused: string }
  | { readonly spec: unknown; readonly status?: unknown; readonly warnings?: readonly string[] };
type Verdicts = Record<string, Verdict>;

/** What was said before, with which the unit tests compare what this kind says. */
const known = recording ? undefined : JSON.parse(readFileSync(answersFile, "utf8"));

let kubernetes: Kubernetes;
let established: Crd;
const answers: Record<"create" | "update" | "webhook" | "conditions" | "apiService", Verdicts> = {
  apiService: {},
  create: {},
  update: {},
  webhook: {},
  conditions: {},
};

before(async () => {
  kubernetes = await startKubernetes({ controllerManager: false });
  established = await establish(goodCrdOf("judgedwidgets", "JudgedWidget"));
});

after(async () => {
  if (recording) {
    const { metadata, ...rest } = established;
    const stable = { ...rest, metadata: { name: metadata.name } };
    const text = JSON.stringify({ ...answers, established: stable }, undefined, 2);
    writeFileSync(answersFile, `${text.replaceAll(timePattern, '"2026-01-01T00:00:00Z"')}\n`);
  }
  await kubernetes?.request("DELETE", `${path}/${established?.metadata?.name}`);
  await kubernetes?.[Symbol.asyncDispose]();
});

const timePattern = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g;

async function establish(crd: Crd): Promise<Crd> {
  await kubernetes.request("POST", path, { body: crd });
  const isEstablished = async () => {
    const { body } = await kubernetes.request("GET", `${path}/${crd.metadata.name}`);
    const conditions: { type: string; status: string }[] = body.status.conditions ?? [];
    return conditions.some(({ type, status }) => type === "Established" && status === "True")
      ? (body as Crd)
      : undefined;
  };
  return waitFor(isEstablished, { what: "the CRD to be established" });
}

/** A dry run: nothing is left behind. */
async function theirVerdict(method: string, at: string, body: unknown): Promise<Verdict> {
  const answer = await kubernetes.request(method, `${at}?dryRun=All`, { body });
  if (answer.status >= 300) return { refused: answer.body.message };
  const { spec, status } = answer.body;
  const warning = answer.headers.warning ?? [];
  const warnings = [warning].flat().map((each) => String(each).replace(/^299 - "(.*)"$/s, "$1"));
  return withoutTimes({
    spec,
    status,
    warnings: warnings.map((each) => each.replaceAll('\\"', '"')),
  });
}

function withoutTimes<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll(timePattern, '"2026-01-01T00:00:00Z"')) as T;
}

describe("a real kube-apiserver judges CRDs as it is written down", () => {
  for (const [name, change] of Object.entries(createRows)) {
    it(`new: ${name}`, async () => {
      const crd = changed(goodCrd(), change);
      const theirs = await theirVerdict("POST", path, crd);
      answers.create[name] = theirs;
      if (!recording) assert.deepEqual(theirs, known.create[name]);
    });
  }
  for (const [name, change] of Object.entries(updateRows)) {
    it(`changed: ${name}`, async () => {
      const crd = changed(established, change);
      const theirs = await theirVerdict("PUT", `${path}/${crd.metadata.name}`, crd);
      answers.update[name] = theirs;
      if (!recording) assert.deepEqual(theirs, known.update[name]);
    });
  }
});

describe("a real kube-apiserver judges webhooks as it is written down", () => {
  const configurations = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
  for (const [name, change] of Object.entries(webhookRows)) {
    it(name, async () => {
      const body = {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "MutatingWebhookConfiguration",
        metadata: { name: "rows.rookery.example.com" },
        webhooks: [{ ...goodWebhook(), ...change }],
      };
      const answer = await kubernetes.request("POST", `${configurations}?dryRun=All`, { body });
      const { message, webhooks } = answer.body;
      const theirs = answer.status < 300 ? { spec: webhooks } : { refused: message };
      answers.webhook[name] = theirs;
      if (!recording) assert.deepEqual(theirs, known.webhook[name]);
    });
  }
});

/** What a CRD says of itself, once one of its conditions has a reason. */
async function statusWhen(name: string, reason: string): Promise<Verdict> {
  const ask = async () => {
    const { body } = await kubernetes.request("GET", `${path}/${name}`);
    const conditions: Record<string, string>[] = body.status?.conditions ?? [];
    return conditions.some((each) => each.reason === reason) ? body.status : undefined;
  };
  const { conditions, ...rest } = await waitFor(ask, { what: `${reason} of ${name}` });
  const told = conditions.map(({ lastTransitionTime: _, ...each }: Record<string, string>) => each);
  return { spec: undefined, status: { ...rest, conditions: told } };
}

describe("a real kube-apiserver says of CRDs what is written down", () => {
  const rival = goodCrdOf("rivalwidgets", "JudgedWidget");
  const { name } = rival.metadata;
  const said = async (row: string, reason: string, of: string = name) => {
    const theirs = JSON.parse(JSON.stringify(await statusWhen(of, reason)));
    answers.conditions[row] = theirs;
    if (!recording) assert.deepEqual(theirs, known.conditions[row]);
  };

  it("of one that is established, of names that another one has, and of one that goes", async () => {
    const { name: first } = established.metadata;
    await said("established", "InitialNamesAccepted", first);
    await kubernetes.request("POST", path, { body: rival });
    await said("conflict", "ListKindConflict");
    await kubernetes.request("DELETE", `${path}/${name}`);
    const kept = goodCrdOf("keptwidgets", "KeptWidget");
    await establish(kept);
    const objects = `/apis/${kept.spec.group}/v1/namespaces/default/keptwidgets`;
    const body = {
      apiVersion: `${kept.spec.group}/v1`,
      kind: "KeptWidget",
      metadata: { name: "a", finalizers: ["example.com/keep"] },
    };
    // An established kind is served some time later.
    const make = () => kubernetes.request("POST", objects, { body });
    await waitFor(async () => (await make()).status === 201, { what: "the widget to be made" });
    await kubernetes.request("DELETE", `${path}/${kept.metadata.name}`);
    await said("terminating", "InstanceDeletionInProgress", kept.metadata.name);
    await kubernetes.request("PATCH", `${objects}/a`, { body: { metadata: { finalizers: null } } });
  });
});

describe("a real kube-apiserver judges APIServices as it is written down", () => {
  for (const [row, { name, spec }] of Object.entries(apiServiceRows)) {
    it(row, async () => {
      const body = {
        apiVersion: "apiregistration.k8s.io/v1",
        kind: "APIService",
        metadata: { name },
        spec,
      };
      const services = "/apis/apiregistration.k8s.io/v1/apiservices?dryRun=All";
      const answer = await kubernetes.request("POST", services, { body });
      const { message, spec: stored, status } = answer.body;
      const theirs =
        answer.status < 300 ? withoutTimes({ spec: stored, status }) : { refused: message };
      answers.apiService[row] = theirs;
      if (!recording) assert.deepEqual(theirs, known.apiService[row]);
    });
  }
});
