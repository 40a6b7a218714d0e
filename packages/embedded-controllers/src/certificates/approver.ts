import type { CertificateSigningRequest } from "@rookery/api";
import type { Authorizer } from "@rookery/apiserver";
import { builtInResources, type KubeObject } from "@rookery/kube";
import { type CertificateSigningRequestInfo, parseCertificateSigningRequest } from "@rookery/pki";
import { type Controller, requestForEntry } from "@rookery/runtime";
import { type ControllerContext, fieldManager } from "../context/context.ts";
import { createStoreController } from "../context/store-controller.ts";
import { kubeletClientProblem } from "./kubelet-requests.ts";

export const csrResource = "certificatesigningrequests.certificates.k8s.io";
const kubeletClient = "kubernetes.io/kube-apiserver-client-kubelet";

/** Approves client certificates of kubelets for users who may create such requests. */
export function createCertificateApprover(
  context: ControllerContext,
  authorize: Authorizer,
): Controller {
  const { store, client } = context;
  return createStoreController(context, {
    name: "csrapproving",
    watches: { [csrResource]: requestForEntry },
    reconcile: async ({ name }, signal) => {
      const object = store.get({ resource: csrResource, namespace: "", name })?.object;
      const csr = object as CertificateSigningRequest | undefined;
      if (object === undefined || csr === undefined || isDecided(csr)) return;
      const message = await approvalOf(csr, authorize, signal);
      if (message === undefined) return;
      const approved = { type: "Approved", status: "True", reason: "AutoApproved", message };
      const conditions = [...(csr.status?.conditions ?? []), approved];
      const changed = { ...object, status: { ...csr.status, conditions } } as KubeObject;
      const approval = client.resource(builtInResources.certificateSigningRequests);
      await approval.subresource("approval").update(changed, { fieldManager, signal });
    },
  });
}

function isDecided({ status }: CertificateSigningRequest): boolean {
  const types = (status?.conditions ?? []).map(({ type }) => type);
  return Boolean(status?.certificate) || types.includes("Approved") || types.includes("Denied");
}

/** The message of the approval; undefined where the request is not approved. */
async function approvalOf(
  csr: CertificateSigningRequest,
  authorize: Authorizer,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { signerName, usages = [], request = "", username } = csr.spec ?? {};
  if (signerName !== kubeletClient) return undefined;
  const info = await parsedRequest(request);
  if (kubeletClientProblem(info, usages) !== undefined) return undefined;
  const isSelf = info.commonName === username;
  if (isSelf && (await mayCreate("selfnodeclient", csr, { authorize, signal }))) {
    return "Auto approving self kubelet client certificate after SubjectAccessReview.";
  }
  if (await mayCreate("nodeclient", csr, { authorize, signal })) {
    return "Auto approving kubelet client certificate after SubjectAccessReview.";
  }
  return undefined;
}

export function parsedRequest(request: string): Promise<CertificateSigningRequestInfo> {
  return parseCertificateSigningRequest(Buffer.from(request, "base64").toString());
}

async function mayCreate(
  subresource: string,
  { spec = {} }: CertificateSigningRequest,
  { authorize, signal }: { authorize: Authorizer; signal: AbortSignal },
): Promise<boolean> {
  const { username = "", uid, groups = [], extra } = spec;
  const user = { name: username, groups, ...(uid && { uid }), ...(extra && { extra }) };
  const question = {
    user,
    verb: "create",
    group: "certificates.k8s.io",
    version: "*",
    subresource,
    resource: "certificatesigningrequests",
    isResourceRequest: true,
    namespace: "",
    name: "",
    path: "",
    fieldSelector: "",
    labelSelector: "",
  };
  return (await authorize(question, signal)).decision === "Allow";
}
