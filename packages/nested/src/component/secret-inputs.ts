import { createHash, X509Certificate } from "node:crypto";
import {
  controllerOf,
  formatObjectKey,
  type KubeObject,
  keyBeside,
  objectKeyOf,
} from "@rookery/kube";
import { ComponentError } from "../errors.ts";
import type { Companions } from "../manifests/pod-template.ts";
import { type Authority, companionSecret, signingCertificate } from "../names.ts";
import { authorityHash } from "../pki/secret.ts";
import type { ComponentScope } from "./scope.ts";

export interface SecretNeeds {
  /** The required keys, by the names of the Secrets. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** The parts of the content that programs read only at their start. */
  readonly inputs: (content: Readonly<Record<string, SecretContent>>) => readonly string[];
  /** The Secrets whose ca.crt programs trust. */
  readonly trust: Readonly<Partial<Record<Authority, string>>>;
  /** The Secret of the serving certificate. */
  readonly serving?: string;
}

/** The result of reading the Secrets of a component. */
export interface SecretInputs {
  /** A hash of the parts that programs read only at their start. */
  readonly inputs: string;
  /** The SHA-256 of each authority that programs must trust. */
  readonly authorities: Readonly<Partial<Record<Authority, string>>>;
  readonly serving?: ServingCertificate;
  readonly companions: Companions;
}

export interface ServingCertificate {
  readonly secret: string;
  readonly fingerprint: string;
  readonly notBefore: Date;
}

type Reader = Pick<ComponentScope, "getSecret" | "memo">;

/** Reads the inputs of pods from Secrets, unless none has changed. Errors: ComponentError. */
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

/** The content of a Secret, decoded. */
export type SecretContent = Readonly<Record<string, string>>;

/**
 * Reads Secrets, whose keys may be in their companions. Errors: ComponentError if one is missing.
 */
export async function requiredSecrets(
  { namespace }: { readonly namespace: string },
  needed: SecretNeeds["keys"],
  { getSecret }: Pick<ComponentScope, "getSecret">,
) {
  const found = await Promise.all(
    Object.entries(needed).map(async ([name, keys]) => {
      const secret = await getSecret({ namespace, name });
      const added = secret ? await additionsTo(secret, keys, getSecret) : {};
      const content = contentOf(name, secret && { ...secret.data, ...added }, keys);
      const companion = keys.filter((key) => key in added);
      const own = keys.filter((key) => !(key in added));
      return { name, content, parts: { own, companion } };
    }),
  );
  const partial = found.filter(({ parts }) => parts.companion.length > 0);
  // In the order of the names, on which the hash of the inputs depends.
  return {
    content: Object.fromEntries(found.map(({ name, content }) => [name, content])),
    companions: Object.fromEntries(partial.map(({ name, parts }) => [name, parts])),
  };
}

/** The keys that control planes write to companions. Key pairs are never read from one. */
const companionKeys = ["ca.crt", "kubeconfig", signingCertificate];

/** The encoded keys that a supplied Secret lacks, or has outdated, from its companion. */
async function additionsTo(
  secret: KubeObject & { readonly data?: SecretContent },
  keys: readonly string[],
  getSecret: ComponentScope["getSecret"],
): Promise<SecretContent> {
  const wanted = keys
    .filter((key) => companionKeys.includes(key))
    .filter((key) => !secret.data?.[key] || key === signingCertificate);
  if (wanted.length === 0 || controllerOf(secret)) return {};
  const companion = await getSecret(keyBeside(secret, companionSecret(secret.metadata.name ?? "")));
  const entries = wanted.map((key) => [key, companion?.data?.[key]] as const);
  return Object.fromEntries(entries.flatMap(([key, value]) => (value ? [[key, value]] : [])));
}

function contentOf(
  name: string,
  data: SecretContent | undefined,
  keys: readonly string[],
): SecretContent {
  if (!data) throw waiting(`Secret ${name} does not exist yet`);
  const missing = keys.filter((key) => !data[key]);
  if (missing.length > 0) throw waiting(`Secret ${name} has no ${missing.join(" and no ")}`);
  return Object.fromEntries(
    keys.map((key) => [key, Buffer.from(data[key] ?? "", "base64").toString()]),
  );
}

function waiting(why: string): ComponentError {
  return new ComponentError("WaitingForCertificates", why);
}
