import type { CertificateSigningRequest } from "@rookery/api";
import { builtInResources, type KubeObject } from "@rookery/kube";
import { parseCertificate } from "@rookery/pki";
import { type Controller, requestForEntry, requeueAfter } from "@rookery/runtime";
import type { ControllerContext } from "../context/context.ts";
import { createStoreController } from "../context/store-controller.ts";
import { csrResource } from "./approver.ts";

const hourMs = 60 * 60 * 1000;
const pendingMs = 24 * hourMs;

/** Deletes requests for certificates that nobody needs any more. */
export function createCertificateCleaner(context: ControllerContext): Controller {
  const { store, client, now } = context;
  return createStoreController(context, {
    name: "csrcleaner",
    watches: { [csrResource]: requestForEntry },
    reconcile: async ({ name }, signal) => {
      const csr = store.get({ resource: csrResource, namespace: "", name })?.object;
      if (csr === undefined) return undefined;
      const left = endOf(csr) - now().getTime();
      if (left > 0)
        return left === Number.POSITIVE_INFINITY ? undefined : requeueAfter(left / 1000);
      const { uid = "" } = csr.metadata;
      const requests = client.resource(builtInResources.certificateSigningRequests);
      await requests.delete({ name }, { signal, preconditions: { uid } });
      return undefined;
    },
  });
}

/**
 * An hour after it was decided, a day where it is not, and no later than its certificate ends. Never
 * where it is approved and waits for its signer.
 */
function endOf(object: KubeObject): number {
  const { status } = object as CertificateSigningRequest;
  const { certificate = "", conditions = [] } = status ?? {};
  const isApproved = conditions.some(({ type }) => type === "Approved");
  const isIssued = isApproved && certificate !== "";
  const decided = ["Denied", "Failed", ...(isIssued ? ["Approved"] : [])];
  const ends = conditions
    .filter(({ type = "" }) => decided.includes(type))
    .map(({ lastUpdateTime }) => timeOf(lastUpdateTime) + hourMs);
  const pending = timeOf(object.metadata.creationTimestamp) + pendingMs;
  return Math.min(
    ...ends,
    ...(conditions.length === 0 ? [pending] : []),
    ...(isIssued ? [expiryOf(certificate)] : []),
  );
}

function timeOf(time: string | null | undefined): number {
  return time ? Date.parse(time) : Number.POSITIVE_INFINITY;
}

function expiryOf(certificate: string): number {
  const pem = Buffer.from(certificate, "base64").toString();
  return parseCertificate(pem).notAfter.getTime();
}
