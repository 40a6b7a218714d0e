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

/** Whom a kubeconfig is for. */
export interface KubeconfigAccount {
  /** The Secret that it is in, of a Cluster. */
  readonly secret: (cluster: string) => string;
  readonly commonName: string;
  readonly organization: string;
  readonly validityMs: number;
  /** Whether one that is valid for longer than that is replaced. */
  readonly isBounded: boolean;
}

const dayMs = 24 * 60 * 60 * 1000;

/** As Cluster API has it: a year, and no rule of the tenant's can lock them out. */
export const controllers: KubeconfigAccount = {
  secret: kubeconfigSecret,
  commonName: "kubernetes-admin",
  organization: "system:masters",
  validityMs: 365 * dayMs,
  isBounded: false,
};

/** The group that people are in: what it may do is up to the tenant. */
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

/** Clocks differ. */
const skewMs = 5 * 60 * 1000;
/** Far more than the kubeconfig of one cluster has; whoever writes the Secret must not keep others waiting. */
const maxKubeconfigBytes = 64 * 1024;

/** What a kubeconfig is made for. */
export interface KubeconfigSubject {
  readonly cluster: string;
  /** With scheme and port. */
  readonly server: string;
  readonly authority: CertificateAuthority;
  readonly account: KubeconfigAccount;
}

/** A kubeconfig of the tenant, with a certificate of its own. */
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

/** What a kubeconfig says; undefined where it is none. */
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

/** Until when a kubeconfig is what it should be; undefined where it is not so any more. */
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
    if (isTooLong(certificate, account, now)) return undefined;
    verifyCertificate({ certificate, caBundle: authority.certificate, now, usage: "client" });
    const due = renewalOf(certificate, authority, account);
    return due > now ? due : undefined;
  } catch (error) {
    if (error instanceof PkiError) return undefined;
    throw error;
  }
}

/** Whoever shortens the validity means the one that there is, too. */
function isTooLong(
  certificate: string,
  { isBounded, validityMs }: KubeconfigAccount,
  now: Date,
): boolean {
  const left = parseCertificate(certificate).notAfter.getTime() - now.getTime();
  return isBounded && left > validityMs + skewMs;
}

/** One that ends with its authority is left alone: another would end no later. */
function renewalOf(
  certificate: string,
  authority: CertificateAuthority,
  { validityMs }: KubeconfigAccount,
): Date {
  const { notAfter } = parseCertificate(certificate);
  const last = parseCertificate(authority.certificate).notAfter;
  return notAfter >= last ? notAfter : new Date(notAfter.getTime() - validityMs / 2);
}

type Entries<Key extends string> = readonly (Partial<
  Record<Key, Readonly<Record<string, string>>>
> & {
  readonly name?: string;
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
