import type { CertificateSigningRequestInfo } from "@rookery/pki";

const clientUsages = ["client auth", "digital signature", "key encipherment"];
const servingUsages = ["digital signature", "key encipherment", "server auth"];

/** Why it is no request for the client certificate of a kubelet; undefined where it is one. */
export function kubeletClientProblem(
  request: CertificateSigningRequestInfo,
  usages: readonly string[],
): string | undefined {
  if (!isOfNodes(request)) return "subject organization is not system:nodes";
  if (request.dnsNames.length > 0) return "DNS subjectAltNames are not allowed";
  if (request.emailAddresses.length > 0) return "Email subjectAltNames are not allowed";
  if (request.ipAddresses.length > 0) return "IP subjectAltNames are not allowed";
  if (request.uris.length > 0) return "URI subjectAltNames are not allowed";
  if (!isNamedAsNode(request)) return "subject common name does not begin with system:node:";
  return usageProblem(usages, clientUsages);
}

/** Why it is no request for the serving certificate of a kubelet; undefined where it is one. */
export function kubeletServingProblem(
  request: CertificateSigningRequestInfo,
  usages: readonly string[],
): string | undefined {
  if (!isOfNodes(request)) return "subject organization is not system:nodes";
  if (request.dnsNames.length + request.ipAddresses.length === 0) {
    return "DNS or IP subjectAltName is required";
  }
  if (request.emailAddresses.length > 0) return "Email subjectAltNames are not allowed";
  if (request.uris.length > 0) return "URI subjectAltNames are not allowed";
  const problem = usageProblem(usages, servingUsages);
  if (problem !== undefined) return problem;
  return isNamedAsNode(request)
    ? undefined
    : "subject common name does not begin with system:node:";
}

function isOfNodes({ organizations }: CertificateSigningRequestInfo): boolean {
  return organizations.length === 1 && organizations[0] === "system:nodes";
}

function isNamedAsNode({ commonName }: CertificateSigningRequestInfo): boolean {
  return commonName.startsWith("system:node:");
}

/** Keys that are not RSA encipher nothing. */
function usageProblem(usages: readonly string[], wanted: readonly string[]): string | undefined {
  const set = [...new Set(usages)].toSorted();
  const isSame = (list: readonly string[]) => set.join() === list.toSorted().join();
  if (isSame(wanted) || isSame(wanted.filter((each) => each !== "key encipherment"))) {
    return undefined;
  }
  return `usages did not match [${wanted.toSorted().join(" ")}]`;
}

/** Why usages are none of a client; undefined where they are. */
export function clientUsageProblem(usages: readonly string[]): string | undefined {
  const bad = usages.find((usage) => !clientUsages.includes(usage));
  if (bad !== undefined) return `invalid usage for client certificate: ${bad}`;
  if (usages.includes("client auth")) return undefined;
  return "missing required usage for client certificate: client auth";
}
