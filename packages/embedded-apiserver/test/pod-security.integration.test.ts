import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { type Kubernetes, startKubernetes, waitFor } from "@rookery/testing";
import {
  labelRows,
  labelsOf,
  podRows,
  securedNamespaces,
  templateRows,
} from "./pod-security-rows.ts";

const recording = process.env.ROOKERY_CONFORMANCE === "record";
const answersFile = new URL("testdata/pod-security-verdicts.json", import.meta.url);
const known = recording ? {} : JSON.parse(readFileSync(answersFile, "utf8"));

describe("a real kube-apiserver judges pods as it is written down", () => {
  let kubernetes: Kubernetes;
  const answers: Record<string, unknown> = {};

  before(async () => {
    kubernetes = await startKubernetes();
    for (const [name, modes] of Object.entries(securedNamespaces)) {
      const { status } = await kubernetes.request("POST", "/api/v1/namespaces", {
        body: namespaceOf(name, modes),
      });
      assert.equal(status, 201);
    }
    const accounts = Object.keys(securedNamespaces).map((name) => {
      const path = `/api/v1/namespaces/${name}/serviceaccounts/default`;
      const ask = async () => (await kubernetes.request("GET", path)).status === 200;
      return waitFor(ask, { what: `the account of ${name}` });
    });
    await Promise.all(accounts);
  });
  after(async () => {
    if (recording) writeFileSync(answersFile, `${JSON.stringify(answers, undefined, 1)}\n`);
    for (const name of Object.keys(securedNamespaces)) {
      await kubernetes?.request("DELETE", `/api/v1/namespaces/${name}`);
    }
    await kubernetes?.[Symbol.asyncDispose]();
  });

  test("pods, what makes them, and labels", async () => {
    for (const [name, object] of [...podRows, ...templateRows]) {
      await compare(name, collectionOf(object), object);
    }
    for (const [name, modes] of Object.entries(labelRows)) {
      await compare(name, "/api/v1/namespaces", namespaceOf("secured-badly", modes));
    }
  });

  /** A dry run: nothing is left behind. */
  async function compare(name: string, path: string, body: KubeObject): Promise<void> {
    const answer = await kubernetes.request("POST", `${path}?dryRun=All`, { body });
    const refused = answer.status === 201 ? {} : { refused: answer.body.message };
    const warnings = [answer.headers.warning ?? []].flat().map(textOf);
    answers[name] = { ...refused, ...(warnings.length > 0 && { warnings }) };
    if (!recording) assert.deepEqual(answers[name], known[name], name);
  }
});

function namespaceOf(name: string, modes: Readonly<Record<string, string>>): KubeObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name, labels: labelsOf(modes) } };
}

function collectionOf({ apiVersion, kind, metadata }: KubeObject): string {
  const prefix = apiVersion.includes("/") ? "/apis" : "/api";
  return `${prefix}/${apiVersion}/namespaces/${metadata.namespace}/${kind.toLowerCase()}s`;
}

function textOf(warning: string): string {
  return warning.replace(/^299 - "(.*)"$/s, "$1").replaceAll('\\"', '"');
}
