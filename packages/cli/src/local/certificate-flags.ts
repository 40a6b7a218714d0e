import type { CertificateFiles } from "@rookery/local";
import type { Command } from "commander";
import { UsageError } from "../errors.ts";

/** Certificates from elsewhere, by the flags of kube-apiserver and kube-controller-manager. */
export interface CertificateFlags {
  readonly clientCaFile?: string;
  readonly tlsCertFile?: string;
  readonly tlsPrivateKeyFile?: string;
  readonly requestheaderClientCaFile?: string;
  readonly proxyClientCertFile?: string;
  readonly proxyClientKeyFile?: string;
  readonly serviceAccountSigningKeyFile?: string;
  readonly serviceAccountKeyFile?: readonly string[];
  readonly clusterSigningCertFile?: string;
  readonly clusterSigningKeyFile?: string;
}

/** These flags are given all together, as generated certificates would not be trusted beside others. */
const required = {
  clientCaFile: "--client-ca-file",
  tlsCertFile: "--tls-cert-file",
  tlsPrivateKeyFile: "--tls-private-key-file",
  requestheaderClientCaFile: "--requestheader-client-ca-file",
  proxyClientCertFile: "--proxy-client-cert-file",
  proxyClientKeyFile: "--proxy-client-key-file",
  serviceAccountSigningKeyFile: "--service-account-signing-key-file",
  clusterSigningCertFile: "--cluster-signing-cert-file",
  clusterSigningKeyFile: "--cluster-signing-key-file",
} as const satisfies Partial<Record<keyof CertificateFlags, string>>;

type Required = keyof typeof required;

const meanings: Readonly<Record<Required, string>> = {
  clientCaFile: "the authority of clients, and of the server itself",
  tlsCertFile: "the certificate to serve with",
  tlsPrivateKeyFile: "its key",
  requestheaderClientCaFile: "the authority of front proxies",
  proxyClientCertFile: "the certificate to call aggregated API servers with",
  proxyClientKeyFile: "its key",
  serviceAccountSigningKeyFile: "the key that signs tokens of service accounts",
  clusterSigningCertFile: "the authority that signs CertificateSigningRequests",
  clusterSigningKeyFile: "its key",
};

export function withCertificateFlags(command: Command): Command {
  const names = Object.keys(required) as Required[];
  return names
    .reduce((flags, name) => flags.option(`${required[name]} <file>`, meanings[name]), command)
    .option("--service-account-key-file <file...>", "further keys whose tokens count");
}

/** Undefined without these flags. Throws UsageError if only some are given. */
export function certificateFilesOf(flags: CertificateFlags): CertificateFiles | undefined {
  const names = Object.keys(required) as Required[];
  const missing = names.filter((name) => flags[name] === undefined);
  if (missing.length === names.length && !flags.serviceAccountKeyFile) return undefined;
  if (missing.length > 0) {
    const which = missing.map((name) => required[name]).join(", ");
    throw new UsageError(
      `certificates from elsewhere are given all together: ${which} ${missing.length === 1 ? "is" : "are"} missing.`,
    );
  }
  const file = (name: Required) => flags[name] ?? "";
  return {
    clientCa: file("clientCaFile"),
    serving: { certificate: file("tlsCertFile"), key: file("tlsPrivateKeyFile") },
    frontProxyCa: file("requestheaderClientCaFile"),
    proxyClient: { certificate: file("proxyClientCertFile"), key: file("proxyClientKeyFile") },
    serviceAccountSigningKey: file("serviceAccountSigningKeyFile"),
    serviceAccountKeys: flags.serviceAccountKeyFile ?? [],
    clusterSigning: {
      certificate: file("clusterSigningCertFile"),
      key: file("clusterSigningKeyFile"),
    },
  };
}
