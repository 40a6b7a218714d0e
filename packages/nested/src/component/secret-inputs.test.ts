import assert from "node:assert/strict";
import { it } from "node:test";
import type { KubeObject } from "@rookery/kube";
import { SecretMemo } from "../pki/secret-memo.ts";
import { type SecretInputs, secretInputs } from "./secret-inputs.ts";

interface Secret extends KubeObject {
  readonly data: Readonly<Record<string, string>>;
}

const namespace = "team";
const component = { apiVersion: "v1", kind: "Any", metadata: { namespace, name: "blue" } };
const needs = {
  keys: { authority: ["ca.crt"], pair: ["tls.crt"] },
  inputs: (content: Readonly<Record<string, Readonly<Record<string, string>>>>) => [
    content.authority?.["ca.crt"] ?? "",
  ],
  trust: { ca: "authority" },
};

/** Secrets, whose versions a cache knows as it does while it is not behind. */
function scene() {
  const secrets = new Map<string, Secret>();
  const reads: string[] = [];
  const put = (name: string, key: string, text: string) => {
    const metadata = { namespace, name, resourceVersion: `${secrets.size}-${text}` };
    secrets.set(name, { apiVersion: "v1", kind: "Secret", metadata, data: { [key]: btoa(text) } });
  };
  const memo = new SecretMemo<SecretInputs>(
    (_, name) => secrets.get(name)?.metadata.resourceVersion,
    () => new Date(0),
  );
  const getSecret = async ({ name }: { readonly name: string }) => {
    reads.push(name);
    return secrets.get(name);
  };
  put("authority", "ca.crt", "first");
  put("pair", "tls.crt", "first");
  const look = () => secretInputs(component, needs, { memo, getSecret });
  const ask = async () => (await look()).inputs;
  return { secrets, reads, put, look, ask, memo };
}

it("no Secret is read again while none has changed", async () => {
  const { ask, reads } = scene();
  const first = await ask();
  assert.equal(await ask(), first);
  assert.deepEqual(reads, ["authority", "pair"]);
});

it("pods that run are not made anew for another way to hash", async () => {
  // What releases before wrote for ["first"].
  assert.equal(await scene().ask(), "72f1e703251fa57f");
});

it("a change of what is read at the start is seen", async () => {
  const { ask, put } = scene();
  const first = await ask();
  put("authority", "ca.crt", "second");
  assert.notEqual(await ask(), first);
});

it("a change of what programs follow by themselves is read, and makes no difference", async () => {
  const { ask, put, reads } = scene();
  const first = await ask();
  put("pair", "tls.crt", "second");
  assert.equal(await ask(), first);
  assert.equal(reads.length, 4);
});

it("a Secret that went is missed, and found when it is back", async () => {
  const { ask, put, secrets } = scene();
  const first = await ask();
  secrets.delete("pair");
  await assert.rejects(ask(), { reason: "WaitingForCertificates" });
  put("pair", "tls.crt", "first");
  assert.equal(await ask(), first);
});

it("a component that is gone is forgotten", async () => {
  const { ask, reads, memo } = scene();
  await ask();
  memo.forget("team/blue");
  await ask();
  assert.equal(reads.length, 4);
});

it("authorities are known by what sha256sum prints of them", async () => {
  const { look } = scene();
  const { authorities } = await look();
  assert.deepEqual(authorities, {
    ca: "a7937b64b8caa58f03721bb6bacf5c78cb235febe0e70b1b84cd99541461a08e",
  });
});

it("no certificate and no private key are taken from a companion", async () => {
  const { look, put } = scene();
  put("pair", "other", "supplied");
  put("pair-companion", "tls.crt", "another's");
  await assert.rejects(look(), /Secret pair has no tls\.crt/);
});

it("a supplied Secret that lacks a key is completed by its companion, which is followed", async () => {
  const { look, ask, put, secrets, reads } = scene();
  const before = await look();
  assert.deepEqual(before.companions, {});
  put("authority", "tls.crt", "supplied");
  await assert.rejects(look(), /Secret authority has no ca\.crt/);
  put("authority-companion", "ca.crt", "first");
  const found = await look();
  assert.deepEqual(found.companions, { authority: { own: [], companion: ["ca.crt"] } });
  assert.equal(found.inputs, before.inputs);
  const { length } = reads;
  await look();
  assert.equal(reads.length, length);
  put("authority-companion", "ca.crt", "second");
  assert.notEqual(await ask(), before.inputs);
  const authority = secrets.get("authority");
  assert.ok(authority);
  const ownerReferences = [
    { apiVersion: "v1", kind: "Any", name: "blue", uid: "1", controller: true },
  ];
  secrets.set("authority", {
    ...authority,
    metadata: { ...authority.metadata, ownerReferences, resourceVersion: "owned" },
  });
  await assert.rejects(look(), /has no ca\.crt/, "the control plane's own is made whole instead");
});
