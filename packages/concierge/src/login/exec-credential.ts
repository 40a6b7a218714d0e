import type { ClusterCredential } from "../aggregated-api/token-credential-request.ts";
import { LoginError } from "../errors.ts";

/** The cluster that kubectl uses, if the kubeconfig has `provideClusterInfo`. */
export interface ExecCluster {
  readonly server?: string;
  readonly "certificate-authority-data"?: string;
  readonly "tls-server-name"?: string;
  readonly "insecure-skip-tls-verify"?: boolean;
  readonly "proxy-url"?: string;
}

export interface ExecInfo {
  readonly apiVersion: string;
  readonly cluster: ExecCluster | undefined;
}

const group = "client.authentication.k8s.io";
const versions: readonly string[] = [`${group}/v1`, `${group}/v1beta1`];

/** Parses KUBERNETES_EXEC_INFO; v1 by default. Errors: LoginError. */
export function readExecInfo(text: string | undefined): ExecInfo {
  if (!text) return { apiVersion: `${group}/v1`, cluster: undefined };
  const { apiVersion, spec } = parse(text);
  if (typeof apiVersion !== "string" || !versions.includes(apiVersion)) {
    const known = versions.join(" or ");
    const solution = `set apiVersion of the kubeconfig's exec to ${known}`;
    throw new LoginError(`the client speaks ${JSON.stringify(apiVersion)}: ${solution}`);
  }
  return { apiVersion, cluster: (spec as { cluster?: ExecCluster } | undefined)?.cluster };
}

/** The output of an exec credential plugin. */
export function execCredential({ apiVersion }: ExecInfo, status: ClusterCredential): string {
  return JSON.stringify({ apiVersion, kind: "ExecCredential", status });
}

function parse(text: string): { readonly apiVersion?: unknown; readonly spec?: unknown } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    throw new LoginError("KUBERNETES_EXEC_INFO is not JSON; it is set by kubectl, not by hand");
  }
}
