import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ResourceClient } from "@rookery/client";
import {
  createCertificateAuthority,
  parseCertificate,
  parseCertificateSigningRequest,
} from "@rookery/pki";
import { SigningError } from "../errors.ts";
import { createSigningRequestStrategy, type SigningRequest } from "./signing-requests.ts";

const authority = await createCertificateAuthority({ commonName: "kubernetes" });
const stranger = await createCertificateAuthority({ commonName: "stranger" });
const { signal } = new AbortController();
const pip = { username: "pip", groups: ["birds"] };

type Conditions = NonNullable<SigningRequest["status"]>["conditions"];

/** A cluster that signs approved requests at the third look, or answers with a condition instead. */
class FakeCluster {
  request: SigningRequest | undefined;
  deleted: string[] = [];
  looks = 0;
  refusal: Conditions;

  readonly client = {
    create: async (request: SigningRequest) => {
      this.request = { ...request, metadata: { name: `${request.metadata.generateName}x` } };
      return this.request;
    },
    get: async () => this.#look(),
    delete: async ({ name }: { name: string }) => void this.deleted.push(name),
    subresource: (name: string) => ({
      update: async (request: SigningRequest) => {
        assert.equal(name, "approval");
        this.request = request;
        return request;
      },
    }),
  } as unknown as ResourceClient<SigningRequest>;

  async #look(): Promise<SigningRequest> {
    assert.ok(this.request?.spec);
    const { request: base64, usages, expirationSeconds } = this.request.spec;
    const conditions = [...(this.request.status?.conditions ?? []), ...(this.refusal ?? [])];
    this.looks += 1;
    const isApproved = conditions.some(({ type }) => type === "Approved");
    if (this.refusal || this.looks < 3 || !isApproved) {
      return { ...this.request, status: { conditions } };
    }
    const pem = Buffer.from(base64, "base64").toString();
    assert.deepEqual(usages, ["client auth", "digital signature"]);
    const signed = await authority.sign(pem, {
      usages: ["client auth", "digital signature"],
      lifetimeSeconds: expirationSeconds,
    });
    const certificate = Buffer.from(signed).toString("base64");
    return { ...this.request, status: { conditions, certificate } };
  }
}

function strategyOf(cluster: FakeCluster, trusted: string = authority.certificate) {
  return createSigningRequestStrategy({
    requests: { client: cluster.client, prefix: "rookery-concierge", pause: async () => {} },
    readClientAuthorities: async () => trusted,
    now: () => new Date(),
  });
}

describe("signing by request", () => {
  it("asks for a client certificate of the user, approves it, collects it and cleans up", async () => {
    const cluster = new FakeCluster();
    const { certificate, expires } = await strategyOf(cluster).sign(pip, signal);
    const info = parseCertificate(certificate);
    assert.deepEqual(info.subject, { commonName: "pip", organizations: ["birds"] });
    assert.equal(expires.getTime(), info.notAfter.getTime());
    assert.equal(cluster.request?.spec?.signerName, "kubernetes.io/kube-apiserver-client");
    assert.equal(cluster.request?.spec?.expirationSeconds, 600);
    const asked = Buffer.from(cluster.request?.spec?.request ?? "", "base64").toString();
    assert.equal((await parseCertificateSigningRequest(asked)).commonName, "pip");
    assert.deepEqual(cluster.deleted, ["rookery-concierge-x"]);
  });

  it("is tried with a certificate for nobody, and says why it is not five minutes", async () => {
    const cluster = new FakeCluster();
    const report = await strategyOf(cluster).check(signal);
    assert.equal(report.status, "Success");
    assert.equal(report.reason, "SignedRequest");
    assert.match(report.message, /^certificates of 10 minutes .* gives none of 5 minutes/);
    const asked = Buffer.from(cluster.request?.spec?.request ?? "", "base64").toString();
    const { commonName, organizations } = await parseCertificateSigningRequest(asked);
    assert.deepEqual([commonName, organizations], ["rookery:concierge-trial", []]);
  });

  const refusals: Record<string, [refusal: Conditions, why: RegExp]> = {
    "the signer fails": [
      [{ type: "Failed", reason: "SignerValidationFailure", message: "no" }],
      /refused: SignerValidationFailure: no/,
    ],
    "it is denied": [[{ type: "Denied", reason: "Policy" }], /refused: Policy/],
    "nobody signs": [[], /did not sign the request: is a kube-controller-manager/],
  };
  for (const [name, [refusal, why]] of Object.entries(refusals)) {
    it(`says so when ${name}, and cleans up`, async () => {
      const cluster = new FakeCluster();
      cluster.refusal = refusal;
      const report = await strategyOf(cluster).check(signal);
      assert.equal(report.reason, "CouldNotSignRequest");
      assert.match(report.message, why);
      await assert.rejects(strategyOf(cluster).sign(pip, signal), (error: Error) => {
        assert.ok(error instanceof SigningError);
        assert.match(error.message, why);
        return true;
      });
      assert.equal(cluster.deleted.length, 2);
    });
  }

  it("says so when the API server does not trust what was signed", async () => {
    const report = await strategyOf(new FakeCluster(), stranger.certificate).check(signal);
    assert.equal(report.reason, "CouldNotSignRequest");
    assert.match(report.message, /no valid authority in the CA bundle has signed it/);
  });
});
