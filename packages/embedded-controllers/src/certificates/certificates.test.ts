import assert from "node:assert/strict";
import { test } from "node:test";
import type { CertificateSigningRequest } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import { builtInResources } from "@rookery/kube";
import { createCertificateSigningRequest, parseCertificate } from "@rookery/pki";
import { waitFor } from "@rookery/testing";
import type { Cluster } from "../../test/cluster.ts";
import { find, startScene } from "../../test/scene.ts";

const clientUsages = ["digital signature", "client auth"];

async function csrOf(signer: string, names: object, more: object = {}): Promise<KubeObject> {
  const { request } = await createCertificateSigningRequest({ commonName: "", ...names });
  return {
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
    metadata: { name: "c" },
    spec: {
      signerName: `kubernetes.io/${signer}`,
      request: Buffer.from(request).toString("base64"),
      usages: clientUsages,
      ...more,
    },
  };
}

const csrs = builtInResources.certificateSigningRequests;
const conditionsOf = (object: KubeObject | undefined) =>
  ((object as CertificateSigningRequest | undefined)?.status?.conditions ?? []).map(
    ({ type, reason, message }) => ({ type, reason, message }),
  );

async function approve(scene: Cluster): Promise<void> {
  const object = await scene.client.resource(csrs).get({ name: "c" });
  const condition = { type: "Approved", status: "True", reason: "Test" };
  const approval = scene.client.resource(csrs).subresource("approval");
  await approval.update({ ...object, status: { conditions: [condition] } });
}

function decided(scene: Cluster, type: string): Promise<KubeObject> {
  const ask = async () => {
    const object = await find(scene, csrs, { name: "c" });
    const has = conditionsOf(object).some((each) => each.type === type);
    const { status } = object as CertificateSigningRequest;
    return has && (type === "Failed" || status?.certificate) ? object : undefined;
  };
  return waitFor(ask, { what: `the request to be ${type}` });
}

test("the client certificate of a kubelet is approved and signed by itself", async () => {
  await using scene = await startScene({
    user: {
      name: "bootstrap",
      groups: ["system:masters", "system:bootstrappers"],
    },
  });
  const names = { commonName: "system:node:n", organizations: ["system:nodes"] };
  await scene.create(await csrOf("kube-apiserver-client-kubelet", names), csrs);
  const signed = (await decided(scene, "Approved")) as CertificateSigningRequest;
  assert.deepEqual(conditionsOf(signed as KubeObject), [
    {
      type: "Approved",
      reason: "AutoApproved",
      message: "Auto approving kubelet client certificate after SubjectAccessReview.",
    },
  ]);
  const pem = Buffer.from(signed.status?.certificate ?? "", "base64").toString();
  assert.equal(parseCertificate(pem).subject.commonName, "system:node:n");
});

test("a client certificate is signed once it is approved, for as long as it asks", async () => {
  await using scene = await startScene();
  const csr = await csrOf(
    "kube-apiserver-client",
    { commonName: "jane" },
    { expirationSeconds: 3600 },
  );
  const created = await scene.create(csr, csrs);
  assert.equal((created.spec as { username?: string }).username, "admin");
  await approve(scene);
  const { status } = (await decided(scene, "Approved")) as CertificateSigningRequest;
  const { notAfter } = parseCertificate(
    Buffer.from(status?.certificate ?? "", "base64").toString(),
  );
  assert.ok(Math.abs(notAfter.getTime() - Date.now() - 3_600_000) < 120_000);
});

const failures: Record<
  string,
  readonly [signer: string, names: object, usages: readonly string[]]
> = {
  "invalid usage for client certificate: server auth": [
    "kube-apiserver-client",
    { commonName: "jane" },
    ["server auth"],
  ],
  "missing required usage for client certificate: client auth": [
    "kube-apiserver-client",
    { commonName: "jane" },
    ["digital signature"],
  ],
  "DNS or IP subjectAltName is required": [
    "kubelet-serving",
    { commonName: "system:node:n", organizations: ["system:nodes"] },
    ["digital signature", "server auth"],
  ],
  "usages did not match [digital signature key encipherment server auth]": [
    "kubelet-serving",
    { commonName: "system:node:n", organizations: ["system:nodes"], dnsNames: ["n"] },
    clientUsages,
  ],
  "subject organization is not system:nodes": [
    "kube-apiserver-client-kubelet",
    { commonName: "system:node:n" },
    clientUsages,
  ],
  "subject common name does not begin with system:node:": [
    "kube-apiserver-client-kubelet",
    { commonName: "n", organizations: ["system:nodes"] },
    clientUsages,
  ],
};
for (const [message, [signer, names, usages]] of Object.entries(failures)) {
  test(`an approved request fails: ${message}`, async () => {
    await using scene = await startScene();
    await scene.create(await csrOf(signer, names, { usages }), csrs);
    await approve(scene);
    const failed = await decided(scene, "Failed");
    assert.deepEqual(conditionsOf(failed).at(-1), {
      type: "Failed",
      reason: "SignerValidationFailure",
      message,
    });
  });
}
