import type { ResourceClient } from "@rookery/client";
import { type Condition, getCondition, type KubeObject } from "@rookery/kube";
import { createCertificateSigningRequest, parseCertificate } from "@rookery/pki";
import type { UserInfo } from "../authenticators/authenticator.ts";
import type { IssuedCredential } from "./strategy.ts";

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

type Client = Pick<ResourceClient<SigningRequest>, "create" | "get" | "delete" | "subresource">;

export interface SigningRequestsOptions {
  readonly client: Client;
  /** Names of requests begin with it, so that an administrator sees whose they are. */
  readonly prefix: string;
  readonly lifetimeSeconds: number;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** Has certificates signed for users, one request each. */
export interface SigningRequests {
  /** Rejects with what the API answers, or with why the signer did not sign. */
  sign(user: UserInfo, signal: AbortSignal): Promise<IssuedCredential>;
}

const looks = 60;
const firstPauseMs = 25;
const longestPauseMs = 500;

export function createSigningRequests(options: SigningRequestsOptions): SigningRequests {
  return {
    async sign({ username, groups }, signal) {
      const names = { commonName: username, organizations: groups };
      const { request, key } = await createCertificateSigningRequest(names);
      const created = await options.client.create(manifest(request, options), { signal });
      const name = created.metadata.name ?? "";
      try {
        await approve(created, options.client, signal);
        const certificate = await collect(name, options, signal);
        return { certificate, key, expires: parseCertificate(certificate).notAfter };
      } finally {
        // Nobody needs it any more; the cluster removes it where this fails.
        await options.client.delete({ name }).catch(() => {});
      }
    },
  };
}

function manifest(request: string, options: SigningRequestsOptions): SigningRequest {
  return {
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
    metadata: { generateName: `${options.prefix}-` },
    spec: {
      request: Buffer.from(request).toString("base64"),
      signerName: clientSignerName,
      expirationSeconds: options.lifetimeSeconds,
      usages: ["client auth", "digital signature"],
    },
  };
}

async function approve(created: SigningRequest, client: Client, signal: AbortSignal) {
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
  for (let look = 0; look < looks; look++) {
    const { status } = await client.get({ name }, { signal });
    if (status?.certificate) return Buffer.from(status.certificate, "base64").toString("utf8");
    assertNotRefused(status?.conditions ?? []);
    await pause(Math.min(longestPauseMs, firstPauseMs * 2 ** look), signal);
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
