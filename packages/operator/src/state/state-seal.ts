import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { type Client, getOptional, type ResourceClient } from "@rookery/client";
import { isAlreadyExists, isForbidden, isNotFound, type ObjectMeta } from "@rookery/kube";
import { metadataOnlyClient } from "@rookery/runtime";
import { secrets } from "../resources.ts";
import {
  dataHashAnnotation,
  providerUidLabel,
  rememberedLabel,
  type SecretObject,
  sealAnnotation,
  summaryAnnotations,
} from "./state-secrets.ts";

/** The Secret with the key, in the operator's own namespace. */
export const sealSecretName = "rookery-operator-seal";
/** On that Secret, until all older records are sealed. */
const pendingAnnotation = "management.cluster.x-k8s.io/sealing";

/**
 * Authenticates the states of providers. They are in the namespaces of instances, whose managers may write
 * Secrets, and the operator applies them with all its rights.
 *
 * Guarantees: a state is used only with a seal by the key in the operator's namespace. Older states are
 * sealed once, when the key is created.
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

  async sealed(secret: SecretObject): Promise<SecretObject> {
    return sealedBy(await this.open(), secret);
  }

  /** Verifies the seal and the content of a state. */
  async isGenuine(secret: SecretObject): Promise<boolean> {
    await this.open();
    if (!this.hasValidSeal(secret.metadata)) {
      // By deleting the key, an administrator has all existing states sealed again.
      this.#opening = undefined;
      await this.open();
    }
    const hash = secret.metadata.annotations?.[dataHashAnnotation];
    return this.hasValidSeal(secret.metadata) && hash === hashOf(secret);
  }

  /** Verifies the metadata of a state; false before the key is read. */
  hasValidSeal(metadata: ObjectMeta): boolean {
    const seal = Buffer.from(metadata.annotations?.[sealAnnotation] ?? "", "base64");
    if (this.#key === undefined) return false;
    const own = signature(this.#key, metadata);
    return seal.length === own.length && timingSafeEqual(seal, own);
  }

  /** Reads or creates the key; without it no seal is valid. */
  open(): Promise<Buffer> {
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

  /** Skips states that a locked operator may not write. */
  async #sealAll(key: Buffer): Promise<void> {
    const labelSelector = `${rememberedLabel}=state`;
    const { items } = await metadataOnlyClient(this.#client.handler, secrets).list({
      labelSelector,
    });
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

/** Older records lack the annotation for the rights of the account. */
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

/** Over the name of a state, its provider, its annotations, and the hash of its content. */
function signature(key: Buffer, { namespace, name, labels, annotations = {} }: ObjectMeta): Buffer {
  const said = [...Object.values(summaryAnnotations), dataHashAnnotation].map(
    (annotation) => annotations[annotation] ?? null,
  );
  const content = JSON.stringify([namespace, name, labels?.[providerUidLabel] ?? "", said]);
  return createHmac("sha256", key).update(content).digest();
}
