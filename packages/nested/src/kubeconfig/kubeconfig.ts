import {
  type CertificateAuthority,
  createKubeconfig,
  keyMatchesCertificate,
  PkiError,
  parseCertificate,
  verifyCertificate,
} from "@rookery/pki";
import { parseYaml } from "@rookery/yaml";
import { stringify } from "yaml";
import { kubeconfigSecret, userKubeconfigSecret } from "../names.ts";
import { renewalOf } from "../pki/leaf-plans.ts";

/** The user of a kubeconfig. */
export interface KubeconfigAccount {
  readonly secret: (cluster: string) => string;
  readonly commonName: string;
  readonly organization: string;
  readonly validityMs: number;
  /** Whether a kubeconfig with a longer validity is replaced. */
  readonly isBounded: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;

/** As in Cluster API: valid for a year, and not restricted by RBAC of the tenant. */
export const controllers: KubeconfigAccount = {
  secret: kubeconfigSecret,
  commonName: "kubernetes-admin",
  organization: "system:masters",
  validityMs: 365 * dayMs,
  isBounded: false,
};

/** The group of people, whose rights the tenant controls. */
export const peopleGroup = "nested:cluster-admins";

export function people(validityMs: number): KubeconfigAccount {
  return {
    secret: userKubeconfigSecret,
    commonName: "nested-admin",
    organization: peopleGroup,
    validityMs,
    isBounded: true,
  };
}

/** The tolerance for different clocks. */
const skewMs = 5 * 60 * 1000;
/** Far more than the kubeconfig of one cluster, to limit the work for a writer of the Secret. */
const maxKubeconfigBytes = 64 * 1024;

export interface KubeconfigSubject {
  readonly cluster: string;
  /** With scheme and port. */
  readonly server: string;
  readonly authority: CertificateAuthority;
  readonly account: KubeconfigAccount;
}

/** Issues a kubeconfig with a new certificate. */
export async function issueKubeconfig(subject: KubeconfigSubject): Promise<string> {
  const { cluster, server, authority, account } = subject;
  const credentials = await authority.issue({
    commonName: account.commonName,
    organizations: [account.organization],
    usages: ["client"],
    lifetimeSeconds: account.validityMs / 1000,
  });
  const { certificate: certificateAuthority } = authority;
  return stringify(
    createKubeconfig({
      clusterName: cluster,
      server,
      certificateAuthority,
      userName: account.isBounded ? `${cluster}-user` : `${cluster}-admin`,
      credentials,
    }),
    { lineWidth: 0 },
  );
}

export interface KubeconfigContent {
  readonly server: string | undefined;
  readonly certificateAuthority: string;
  readonly certificate: string;
  readonly key: string;
}

export function readKubeconfig(text: string): KubeconfigContent | undefined {
  const config = parsed(text);
  const context = named(config?.contexts, config?.["current-context"])?.context;
  const cluster = named(config?.clusters, context?.cluster)?.cluster;
  const user = named(config?.users, context?.user)?.user;
  if (!cluster || !user) return undefined;
  return {
    server: cluster.server,
    certificateAuthority: decoded(cluster["certificate-authority-data"]),
    certificate: decoded(user["client-certificate-data"]),
    key: decoded(user["client-key-data"]),
  };
}

/** The time until which a kubeconfig is valid for the subject; undefined if it is not. */
export function goodUntil(
  content: KubeconfigContent | undefined,
  { server, authority, account }: KubeconfigSubject,
  now: Date,
): Date | undefined {
  if (content?.server !== server) return undefined;
  if (content.certificateAuthority !== authority.certificate) return undefined;
  try {
    const { certificate, key } = content;
    if (!keyMatchesCertificate(key, certificate)) return undefined;
    const left = parseCertificate(certificate).notAfter.getTime() - now.getTime();
    // A shorter validity in the spec applies to existing kubeconfigs, too.
    if (account.isBounded && left > account.validityMs + skewMs) return undefined;
    verifyCertificate({ certificate, caBundle: authority.certificate, now, usage: "client" });
    const due = renewalOf(certificate, authority, account.validityMs / 2);
    return due > now ? due : undefined;
  } catch (error) {
    if (error instanceof PkiError) return undefined;
    throw error;
  }
}

type Entries<Key extends string> = readonly ({ readonly name?: string } & {
  readonly [key in Key]?: Readonly<Record<string, string>>;
})[];

interface KubeconfigFile {
  readonly clusters?: Entries<"cluster">;
  readonly users?: Entries<"user">;
  readonly contexts?: Entries<"context">;
  readonly "current-context"?: string;
}

function parsed(text: string): KubeconfigFile | undefined {
  try {
    const config = parseYaml(text, { maxBytes: maxKubeconfigBytes });
    return config !== null && typeof config === "object" ? config : undefined;
  } catch {
    return undefined;
  }
}

function named<T extends { readonly name?: string }>(
  entries: readonly T[] | undefined,
  name: string | undefined,
): T | undefined {
  return Array.isArray(entries) ? entries.find((entry) => entry.name === name) : undefined;
}

function decoded(data: string | undefined): string {
  return Buffer.from(data ?? "", "base64").toString("utf8");
}
