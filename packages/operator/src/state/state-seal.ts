import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { type Client, getOptional, type ResourceClient } from "@rookery/client";
import { isAlreadyExists, isForbidden, isNotFound, type ObjectMeta } from "@rookery/kube";
import { metadataOf } from "../components/metadata-of.ts";
import { secrets } from "../resources.ts";
import {
  dataHashAnnotation,
  providerUidLabel,
  rememberedLabel,
  type SecretObject,
  sealAnnotation,
  summaryAnnotations,
} from "./state-secrets.ts";

/** In the operator's own namespace, where nobody else is to write. */
export const sealSecretName = "rookery-operator-seal";
/** On that Secret, until all that was recorded before it was made is sealed. */
const pendingAnnotation = "management.cluster.x-k8s.io/sealing";

/**
 * Who wrote what the operator remembers of providers. States lie in the namespaces of instances, where
 * the managers of these may write Secrets, and the operator applies what they say with all its rights.
 *
 * Guarantees: a state counts only with a seal by a key that is in the operator's namespace alone. What
 * was recorded before there was a key is sealed once, when the key is made, and never again.
 */
export class StateSeal {
  readonly #client: Client;
  readonly #secrets: ResourceClient<SecretObject>;
  readonly #namespace: string;
  #key: Buffer | undefined;
  #opening: Promise<Buffer> | undefined;

  constructor(client: Client, namespace: string) {
    this.#client = client;
    this.#secrets = client.resource<SecretObject>(secrets);
    this.#namespace = namespace;
  }

  /** Reads the key, or makes it: before, nothing is known to be genuine. */
  async open(): Promise<void> {
    await this.#open();
  }

  /** A Secret with a state, under the operator's seal. */
  async sealed(secret: SecretObject): Promise<SecretObject> {
    return sealedBy(await this.#open(), secret);
  }

  /** Whether a state, read from the server with its content, is the operator's own. */
  async isGenuine(secret: SecretObject): Promise<boolean> {
    await this.#open();
    if (!this.hasValidSeal(secret.metadata)) {
      // The key may have been made anew, by which an administrator trusts what is there.
      this.#opening = undefined;
      await this.#open();
    }
    const hash = secret.metadata.annotations?.[dataHashAnnotation];
    return this.hasValidSeal(secret.metadata) && hash === hashOf(secret);
  }

  /** Whether what a state says in its metadata is the operator's own; false before the key is read. */
  hasValidSeal(metadata: ObjectMeta): boolean {
    const seal = Buffer.from(metadata.annotations?.[sealAnnotation] ?? "", "base64");
    if (this.#key === undefined) return false;
    const own = signature(this.#key, metadata);
    return seal.length === own.length && timingSafeEqual(seal, own);
  }

  #open(): Promise<Buffer> {
    this.#opening ??= this.#load().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #load(): Promise<Buffer> {
    const secret = (await this.#find()) ?? (await this.#create());
    const key = Buffer.from(secret.data?.key ?? "", "base64");
    if (secret.metadata.annotations?.[pendingAnnotation] !== undefined) {
      await this.#sealAll(key);
      const { [pendingAnnotation]: _, ...annotations } = secret.metadata.annotations;
      await this.#secrets.update({ ...secret, metadata: { ...secret.metadata, annotations } });
    }
    this.#key = key;
    return key;
  }

  #find(): Promise<SecretObject | undefined> {
    return getOptional(this.#secrets, { namespace: this.#namespace, name: sealSecretName });
  }

  async #create(): Promise<SecretObject> {
    const secret: SecretObject = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: {
        namespace: this.#namespace,
        name: sealSecretName,
        annotations: { [pendingAnnotation]: "true" },
      },
      data: { key: randomBytes(32).toString("base64") },
    };
    try {
      return await this.#secrets.create(secret);
    } catch (error) {
      const other = isAlreadyExists(error) ? await this.#find() : undefined;
      if (other === undefined) throw error;
      return other;
    }
  }

  /** Those that a locked operator may not write are not its own. */
  async #sealAll(key: Buffer): Promise<void> {
    const labelSelector = `${rememberedLabel}=state`;
    const { items } = await metadataOf(this.#client, secrets).list({ labelSelector });
    for (const { metadata } of items) {
      const { namespace = "", name = "" } = metadata;
      try {
        const secret = await this.#secrets.get({ namespace, name });
        await this.#secrets.update(sealedBy(key, withRights(secret)));
      } catch (error) {
        if (!isForbidden(error) && !isNotFound(error)) throw error;
      }
    }
  }
}

/** Records from before there were seals do not say on the outside where an account has its rights. */
function withRights(secret: SecretObject): SecretObject {
  const text = Buffer.from(secret.data?.state ?? "", "base64").toString();
  const { layout } = JSON.parse(text || "{}") as { layout?: { rbac?: string } };
  const annotations = {
    ...secret.metadata.annotations,
    [summaryAnnotations.rights]: layout?.rbac ?? "Cluster",
  };
  return { ...secret, metadata: { ...secret.metadata, annotations } };
}

function sealedBy(key: Buffer, secret: SecretObject): SecretObject {
  const annotations = { ...secret.metadata.annotations, [dataHashAnnotation]: hashOf(secret) };
  const metadata = { ...secret.metadata, annotations };
  const seal = signature(key, metadata).toString("base64");
  return {
    ...secret,
    metadata: { ...metadata, annotations: { ...annotations, [sealAnnotation]: seal } },
  };
}

function hashOf({ data }: SecretObject): string {
  return createHash("sha256")
    .update(data?.state ?? "")
    .digest("base64");
}

/** Of where a state is, whose it is, what its metadata says, and what its content is. */
function signature(key: Buffer, { namespace, name, labels, annotations = {} }: ObjectMeta): Buffer {
  const said = [...Object.values(summaryAnnotations), dataHashAnnotation].map(
    (annotation) => annotations[annotation] ?? null,
  );
  const content = JSON.stringify([namespace, name, labels?.[providerUidLabel] ?? "", said]);
  return createHmac("sha256", key).update(content).digest();
}
