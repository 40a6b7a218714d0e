import { createHash, X509Certificate } from "node:crypto";
import { formatObjectKey, type KubeObject, objectKeyOf } from "@rookery/kube";
import type { Companions } from "../manifests/pod-template.ts";
import type { Authority } from "../names.ts";
import { authorityHash } from "../pki/secret.ts";
import { requiredSecrets, type SecretContent } from "./required-secrets.ts";
import type { ComponentScope } from "./scope.ts";

/** The Secrets that pods of a component need. */
export interface SecretNeeds {
  /** The keys that have to be there, by the names of the Secrets. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** The parts of the content that programs read only when they start. */
  readonly inputs: (content: Readonly<Record<string, SecretContent>>) => readonly string[];
  /** The Secrets whose ca.crt programs trust. */
  readonly trust: Readonly<Partial<Record<Authority, string>>>;
  /** The Secret of the certificate that its server shows to everybody. */
  readonly serving?: string;
}

/** The result of reading the Secrets of a component. */
export interface SecretInputs {
  /** A hash of the parts that programs read only when they start. */
  readonly inputs: string;
  /** The SHA-256 of each authority that programs have to trust. */
  readonly authorities: Readonly<Partial<Record<Authority, string>>>;
  readonly serving?: ServingCertificate;
  /** Of supplied Secrets that lack keys: the keys of their companions. */
  readonly companions: Companions;
}

/** A certificate as clients of its server see it. */
export interface ServingCertificate {
  readonly secret: string;
  readonly fingerprint: string;
  readonly notBefore: Date;
}

type Reader = Pick<ComponentScope, "getSecret" | "memo">;

/**
 * What the Secrets of a component mean for its pods. Where none has changed since the last time, none
 * is read. Throws a ComponentError while one is not there.
 */
export async function secretInputs(
  component: KubeObject,
  needs: SecretNeeds,
  { getSecret, memo }: Reader,
): Promise<SecretInputs> {
  const { keys } = needs;
  const key = formatObjectKey(objectKeyOf(component));
  const { namespace = "" } = component.metadata;
  const needed = JSON.stringify(keys);
  const known = memo.recall(key, namespace, needed);
  if (known !== undefined) return known;
  const versions = new Map<string, string>();
  const { content, companions } = await requiredSecrets({ namespace }, keys, {
    getSecret: async (secret) => {
      const found = await getSecret(secret);
      versions.set(secret.name, found?.metadata.resourceVersion ?? "");
      return found;
    },
  });
  const found = { ...inputsOf(needs, content), companions };
  memo.remember(key, { inputs: needed, versions, found });
  return found;
}

function inputsOf(
  { inputs, trust, serving }: SecretNeeds,
  content: Readonly<Record<string, SecretContent>>,
): Omit<SecretInputs, "companions"> {
  const trusted = Object.entries(trust).map(([authority, secret]) => [
    authority,
    authorityHash(content[secret]?.["ca.crt"] ?? ""),
  ]);
  const served = serving && servingCertificate(serving, content[serving]?.["tls.crt"] ?? "");
  return {
    inputs: hashOf(inputs(content)),
    authorities: Object.fromEntries(trusted),
    ...(served && { serving: served }),
  };
}

/** Undefined for an invalid certificate, which the control plane reports. */
function servingCertificate(secret: string, pem: string): ServingCertificate | undefined {
  try {
    const { fingerprint256: fingerprint, validFromDate: notBefore } = new X509Certificate(pem);
    return { secret, fingerprint, notBefore };
  } catch {
    return undefined;
  }
}

function hashOf(inputs: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(inputs)).digest("hex").slice(0, 16);
}
