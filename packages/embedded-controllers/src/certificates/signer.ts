import type { CertificateSigningRequest } from "@rookery/api";
import { builtInResources, formatTime, type KubeObject } from "@rookery/kube";
import type { CertificateAuthority, CertificateSigningRequestInfo, KeyUsage } from "@rookery/pki";
import { type Controller, requestForEntry } from "@rookery/runtime";
import { type ControllerContext, fieldManager } from "../context/context.ts";
import { createStoreController } from "../context/store-controller.ts";
import { csrResource, parsedRequest } from "./approver.ts";
import {
  clientUsageProblem,
  kubeletClientProblem,
  kubeletServingProblem,
} from "./kubelet-requests.ts";

type Rule = (info: CertificateSigningRequestInfo, usages: readonly string[]) => string | undefined;

/** The rule that each signer applies to requests; returns the problem. */
const signers: Readonly<Record<string, Rule>> = {
  "kubernetes.io/kube-apiserver-client": (_, usages) => clientUsageProblem(usages),
  "kubernetes.io/kube-apiserver-client-kubelet": kubeletClientProblem,
  "kubernetes.io/kubelet-serving": kubeletServingProblem,
  "kubernetes.io/legacy-unknown": () => undefined,
};

const longestSeconds = 365 * 24 * 60 * 60;
const shortestSeconds = 600;

/** Signs requests that are approved, by the authority of the cluster's clients. */
export function createCertificateSigner(
  context: ControllerContext,
  authority: Pick<CertificateAuthority, "sign">,
): Controller {
  const { store, client, now } = context;
  return createStoreController(context, {
    name: "csrsigning",
    watches: { [csrResource]: requestForEntry },
    reconcile: async ({ name }, signal) => {
      const object = store.get({ resource: csrResource, namespace: "", name })?.object;
      const csr = object as CertificateSigningRequest | undefined;
      if (object === undefined || csr === undefined || !isToBeSigned(csr)) return;
      const status = await signedStatus(csr, authority, now());
      const requests = client.resource(builtInResources.certificateSigningRequests);
      await requests.status.update({ ...object, status } as KubeObject, { fieldManager, signal });
    },
  });
}

function isToBeSigned({ spec, status }: CertificateSigningRequest): boolean {
  const has = (type: string) => status?.conditions?.some((each) => each.type === type) ?? false;
  const isOurs = Object.hasOwn(signers, spec?.signerName ?? "");
  return isOurs && !status?.certificate && has("Approved") && !has("Denied") && !has("Failed");
}

async function signedStatus(
  { spec = {}, status }: CertificateSigningRequest,
  authority: Pick<CertificateAuthority, "sign">,
  now: Date,
): Promise<object> {
  const { request = "", usages = [], signerName = "", expirationSeconds } = spec;
  const problem = signers[signerName]?.(await parsedRequest(request), usages);
  if (problem !== undefined) {
    const failed = {
      type: "Failed",
      status: "True",
      reason: "SignerValidationFailure",
      message: problem,
      lastUpdateTime: formatTime(now),
    };
    return { ...status, conditions: [...(status?.conditions ?? []), failed] };
  }
  const wanted = Math.max(expirationSeconds ?? longestSeconds, shortestSeconds);
  const pem = Buffer.from(request, "base64").toString();
  const certificate = await authority.sign(pem, {
    usages: usages as KeyUsage[],
    lifetimeSeconds: Math.min(wanted, longestSeconds),
  });
  return { ...status, certificate: Buffer.from(certificate).toString("base64") };
}
