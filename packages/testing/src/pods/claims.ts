import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Kubernetes } from "../kubernetes.ts";
import type { PersistentVolumeClaim } from "./pod.ts";

/** Gives each claim a volume that is a folder, and takes both away when the claim is gone. */
export class Claims {
  readonly #kubernetes: Kubernetes;
  readonly #folder: string;
  readonly #made = new Set<string>();

  constructor(kubernetes: Kubernetes, folder: string) {
    this.#kubernetes = kubernetes;
    this.#folder = folder;
  }

  /** The folder of a claim that is bound. */
  folderOf(claim: PersistentVolumeClaim | undefined): string | undefined {
    if (claim?.status?.phase !== "Bound") return undefined;
    return join(this.#folder, volumeName(claim));
  }

  async update(claims: readonly PersistentVolumeClaim[]): Promise<void> {
    const names = new Set(claims.map(volumeName));
    for (const claim of claims) if (!this.#made.has(volumeName(claim))) await this.#make(claim);
    for (const name of [...this.#made]) if (!names.has(name)) await this.#remove(name);
  }

  async end(): Promise<void> {
    for (const name of [...this.#made]) await this.#remove(name);
  }

  async #remove(name: string): Promise<void> {
    this.#made.delete(name);
    await this.#kubernetes.request("DELETE", `/api/v1/persistentvolumes/${name}`);
    await rm(join(this.#folder, name), { recursive: true, force: true });
  }

  async #make(claim: PersistentVolumeClaim): Promise<void> {
    const name = volumeName(claim);
    const path = join(this.#folder, name);
    await mkdir(path, { recursive: true, mode: 0o777 });
    const body = persistentVolume(claim, path);
    const answer = await this.#kubernetes.request("POST", "/api/v1/persistentvolumes", { body });
    if (![201, 409].includes(answer.status)) {
      throw new Error(`could not make volume ${name}: ${answer.body.message}`);
    }
    this.#made.add(name);
  }
}

function volumeName({ metadata }: PersistentVolumeClaim): string {
  return `process-node-${metadata.uid}`;
}

function persistentVolume(claim: PersistentVolumeClaim, path: string) {
  const { metadata, spec } = claim;
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: volumeName(claim) },
    spec: {
      capacity: { storage: spec.resources?.requests?.storage ?? "1Gi" },
      accessModes: spec.accessModes ?? ["ReadWriteOnce"],
      storageClassName: spec.storageClassName ?? "",
      // The folder is removed here: no controller knows how.
      persistentVolumeReclaimPolicy: "Retain",
      hostPath: { path },
      claimRef: {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        namespace: metadata.namespace,
        name: metadata.name,
        uid: metadata.uid,
      },
    },
  };
}
