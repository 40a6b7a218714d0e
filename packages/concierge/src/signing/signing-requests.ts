import type { ResourceClient } from "@rookery/client";
import { type Condition, getCondition, type KubeObject } from "@rookery/kube";
import { createCertificateSigningRequest, parseCertificate, verifyCertificate } from "@rookery/pki";
import type { UserInfo } from "../authenticators/authenticator.ts";
import { SigningError } from "../errors.ts";
import {
  failureMessage,
  type IssuedCredential,
  type ReadClientAuthorities,
  type SigningStrategy,
  type StrategyReport,
} from "./strategy.ts";

export const clientSignerName = "kubernetes.io/kube-apiserver-client";

interface SigningRequestSpec {
  readonly request: string;
  readonly signerName: string;
  readonly expirationSeconds: number;
  readonly usages: readonly string[];
}

interface SigningRequestStatus {
  readonly certificate?: string;
  readonly conditions?: readonly Partial<Condition>[];
}

export type SigningRequest = KubeObject<SigningRequestSpec, SigningRequestStatus>;

interface SigningRequestsOptions {
  readonly client: Pick<
    ResourceClient<SigningRequest>,
    "create" | "get" | "delete" | "subresource"
  >;
  /** The prefix of the names of requests, which shows administrators their origin. */
  readonly prefix: string;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export interface SigningRequestStrategyOptions {
  readonly requests: SigningRequestsOptions;
  readonly readClientAuthorities: ReadClientAuthorities;
  readonly now: () => Date;
}

const type = "CertificateSigningRequest";

/** The shortest lifetime that the API accepts. */
const lifetimeSeconds = 600;

/** The user of the trial certificate: not a real user, in no group. The key is discarded. */
const trialUser = { username: "rookery:concierge-trial", groups: [] };

const attempts = 60;
const firstPauseMs = 25;
const longestPauseMs = 500;

/** Lets the cluster sign, by CertificateSigningRequests. */
export function createSigningRequestStrategy(
  options: SigningRequestStrategyOptions,
): SigningStrategy {
  const { requests, readClientAuthorities, now } = options;
  return {
    // Each check leaves entries in the audit log of the cluster.
    recheckMs: 10 * 60_000,
    async check(signal) {
      try {
        const { certificate } = await requestCertificate(trialUser, requests, signal);
        const caBundle = (await readClientAuthorities(signal)) ?? "";
        verifyCertificate({ certificate, caBundle, now: now(), usage: "client" });
        return success;
      } catch (error) {
        const why = failureMessage(error, signal);
        const message = `could not have a certificate signed for a trial: ${why}`;
        return { type, status: "Error", reason: "CouldNotSignRequest", message };
      }
    },
    async sign(user, signal) {
      try {
        return await requestCertificate(user, requests, signal);
      } catch (error) {
        throw new SigningError(failureMessage(error, signal), { cause: error });
      }
    },
  };
}

const success: StrategyReport = {
  type,
  status: "Success",
  reason: "SignedRequest",
  message:
    `certificates of ${lifetimeSeconds / 60} minutes are signed by the cluster on request: the ` +
    "API of CertificateSigningRequests gives none of 5 minutes. Configure the cluster's signing " +
    "key (--signing-secret, or --signing-cert-file and --signing-key-file) for those",
};

/** Rejects with the error of the API, or with the reason of the signer. */
async function requestCertificate(
  { username, groups }: UserInfo,
  options: SigningRequestsOptions,
  signal: AbortSignal,
): Promise<IssuedCredential> {
  const names = { commonName: username, organizations: groups };
  const { request, key } = await createCertificateSigningRequest(names);
  const created = await options.client.create(manifest(request, options), { signal });
  const name = created.metadata.name ?? "";
  try {
    await approve(created, options, signal);
    const certificate = await collect(name, options, signal);
    return { certificate, key, expires: parseCertificate(certificate).notAfter };
  } finally {
    // The cluster deletes old requests anyway.
    await options.client.delete({ name }).catch(() => {});
  }
}

function manifest(request: string, { prefix }: SigningRequestsOptions): SigningRequest {
  return {
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
    metadata: { generateName: `${prefix}-` },
    spec: {
      request: Buffer.from(request).toString("base64"),
      signerName: clientSignerName,
      expirationSeconds: lifetimeSeconds,
      usages: ["client auth", "digital signature"],
    },
  };
}

async function approve(
  created: SigningRequest,
  { client }: SigningRequestsOptions,
  signal: AbortSignal,
) {
  const approved = {
    type: "Approved",
    status: "True" as const,
    reason: "ConciergeAuthenticated",
    message: "the concierge has authenticated the user",
  };
  const approval = { ...created, status: { ...created.status, conditions: [approved] } };
  await client.subresource<SigningRequest>("approval").update(approval, { signal });
}

async function collect(
  name: string,
  { client, pause }: SigningRequestsOptions,
  signal: AbortSignal,
): Promise<string> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const { status } = await client.get({ name }, { signal });
    if (status?.certificate) return Buffer.from(status.certificate, "base64").toString("utf8");
    assertNotRefused(status?.conditions ?? []);
    await pause(Math.min(longestPauseMs, firstPauseMs * 2 ** attempt), signal);
  }
  const hint = "is a kube-controller-manager with a signing key running?";
  throw new Error(`the signer ${clientSignerName} did not sign the request: ${hint}`);
}

function assertNotRefused(conditions: readonly Partial<Condition>[]): void {
  const of = (type: string) => getCondition(conditions as readonly Condition[], type);
  const refusal = of("Failed") ?? of("Denied");
  if (!refusal) return;
  const why = [refusal.reason, refusal.message].filter(Boolean).join(": ");
  throw new Error(`the signer ${clientSignerName} refused: ${why}`);
}
