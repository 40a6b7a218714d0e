import type { CertificateSigningRequest } from "@rookery/api";
import type { AdmissionAttributes, AdmissionPlugin, Authorizer } from "@rookery/apiserver";
import { formatGroupResource, quote } from "@rookery/kube";
import { PkiError, parseCertificateSigningRequest } from "@rookery/pki";
import { isSameValue } from "../kinds/meta/field-rules.ts";
import { isAbout, mutating, refusal } from "./mutating.ts";

const group = "certificates.k8s.io";
const csrResource = `certificatesigningrequests.${group}`;
const apiServerClient = "kubernetes.io/kube-apiserver-client";

/** Approving and signing needs a permission for the signer. */
export function createCertificateAdmission(authorize: Authorizer): readonly AdmissionPlugin[] {
  return [
    {
      name: "CertificateApproval",
      operations: ["UPDATE"],
      validate: async (attributes) => {
        if (isSubresource(attributes, "approval"))
          await assertFor("approve", attributes, authorize);
      },
    },
    {
      name: "CertificateSigning",
      operations: ["UPDATE"],
      validate: async (attributes) => {
        if (!isSubresource(attributes, "status")) return;
        const { status } = attributes.object as CertificateSigningRequest;
        const { status: old } = attributes.oldObject as CertificateSigningRequest;
        const isSame =
          isSameValue(status?.certificate, old?.certificate) &&
          isSameValue(status?.conditions, old?.conditions);
        if (!isSame) await assertFor("sign", attributes, authorize);
      },
    },
    {
      name: "CertificateSubjectRestriction",
      operations: ["CREATE"],
      validate: async (attributes) => {
        if (isAbout(attributes, csrResource)) await assertSubject(attributes);
      },
    },
  ];
}

/**
 * Sets the requestor in new CertificateSigningRequests. Like the check of escalation, the plugin has to
 * run after all that mutate.
 */
export const certificateRequester: AdmissionPlugin = {
  name: "CertificateRequester",
  operations: ["CREATE"],
  mutate: mutating<CertificateSigningRequest>(csrResource, (csr, { user }) => {
    const { username, uid, groups, extra, ...spec } = csr.spec ?? {};
    csr.spec = {
      ...spec,
      username: user.name,
      ...(user.uid && { uid: user.uid }),
      ...(user.groups.length > 0 && { groups: [...user.groups] }),
      ...(user.extra && { extra: user.extra as Record<string, string[]> }),
    };
  }),
};

function isSubresource({ resource, subresource }: AdmissionAttributes, name: string): boolean {
  return subresource === name && formatGroupResource(resource) === csrResource;
}

/** The permission is for the name of the signer or for its whole domain. */
async function assertFor(
  verb: "approve" | "sign",
  attributes: AdmissionAttributes,
  authorize: Authorizer,
): Promise<void> {
  const { spec } = attributes.oldObject as CertificateSigningRequest;
  const { signerName = "" } = spec ?? {};
  const [domain] = signerName.split("/");
  for (const name of [signerName, `${domain}/*`]) {
    const question = {
      user: attributes.user,
      verb,
      name,
      group,
      version: "*",
      resource: "signers",
      subresource: "",
      namespace: "",
      path: "",
      isResourceRequest: true,
      fieldSelector: "",
      labelSelector: "",
    };
    if ((await authorize(question, attributes.signal)).decision === "Allow") return;
  }
  const why = `user not permitted to ${verb} requests with signerName ${quote(signerName)}`;
  throw refusal(attributes, why);
}

async function assertSubject(attributes: AdmissionAttributes): Promise<void> {
  const { spec } = attributes.object as CertificateSigningRequest;
  if (spec?.signerName !== apiServerClient) return;
  if (!(await organizationsOf(spec.request ?? "", attributes)).includes("system:masters")) return;
  const why = `use of ${apiServerClient} signer with system:masters group is not allowed`;
  throw refusal(attributes, why);
}

async function organizationsOf(
  request: string,
  attributes: AdmissionAttributes,
): Promise<readonly string[]> {
  try {
    const pem = Buffer.from(request, "base64").toString();
    return (await parseCertificateSigningRequest(pem)).organizations;
  } catch (error) {
    if (!(error instanceof PkiError)) throw error;
    throw refusal(attributes, `failed to parse CSR: ${error.message}`);
  }
}
