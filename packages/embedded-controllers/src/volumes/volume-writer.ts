import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimStatus,
} from "@rookery/api";
import { builtInResources, deepEqual, type KubeObject } from "@rookery/kube";
import type { EventRecorder, EventType } from "@rookery/runtime";
import { type ControllerContext, fieldManager } from "../context/context.ts";

const boundByController = "pv.kubernetes.io/bound-by-controller";
const bindCompleted = "pv.kubernetes.io/bind-completed";

/** Writes volumes and claims, each only where that changes it. Rejects with StatusErrors. */
export class VolumeWriter {
  readonly #context: ControllerContext;
  readonly #recorder: EventRecorder;
  readonly #signal: AbortSignal;

  constructor(context: ControllerContext, recorder: EventRecorder, signal: AbortSignal) {
    this.#context = context;
    this.#recorder = recorder;
    this.#signal = signal;
  }

  /** Both sides, the volume first: a claim is bound when both have agreed. */
  async bind(volume: PersistentVolume, claim: PersistentVolumeClaim): Promise<void> {
    const claimed = await this.volume(withClaim(volume, claim), volume);
    const bound = await this.volumePhase(claimed, "Bound");
    const next = await this.claim(withVolume(claim, bound), claim);
    await this.claimPhase(next, "Bound", bound);
  }

  async volume(wanted: PersistentVolume, current: PersistentVolume): Promise<PersistentVolume> {
    if (deepEqual(wanted, current)) return current;
    const volumes = this.#context.client.resource(builtInResources.persistentVolumes);
    return (await volumes.update(wanted as KubeObject, this.#options)) as PersistentVolume;
  }

  async claim(
    wanted: PersistentVolumeClaim,
    current: PersistentVolumeClaim,
  ): Promise<PersistentVolumeClaim> {
    if (deepEqual(wanted, current)) return current;
    const claims = this.#context.client.resource(builtInResources.persistentVolumeClaims);
    return (await claims.update(wanted as KubeObject, this.#options)) as PersistentVolumeClaim;
  }

  async volumePhase(
    volume: PersistentVolume,
    phase: string,
    message?: string,
  ): Promise<PersistentVolume> {
    const { message: before, ...status } = volume.status ?? {};
    if (status.phase === phase && (before ?? "") === (message ?? "")) return volume;
    const wanted = { ...volume, status: { ...status, phase, ...(message && { message }) } };
    const { status: volumes } = this.#context.client.resource(builtInResources.persistentVolumes);
    return (await volumes.update(wanted as KubeObject, this.#options)) as PersistentVolume;
  }

  /** A claim without a volume has no capacity and no modes. */
  async claimPhase(
    claim: PersistentVolumeClaim,
    phase: string,
    volume?: PersistentVolume,
  ): Promise<void> {
    const { accessModes: _, capacity, ...rest } = claim.status ?? {};
    const isNew = rest.phase !== phase;
    const found: PersistentVolumeClaimStatus = volume
      ? {
          ...(volume.spec?.accessModes && { accessModes: volume.spec.accessModes }),
          ...withCapacity(isNew ? volume.spec?.capacity : capacity),
        }
      : {};
    const status = { ...rest, phase, ...found };
    if (deepEqual(status, claim.status)) return;
    const { status: claims } = this.#context.client.resource(
      builtInResources.persistentVolumeClaims,
    );
    await claims.update({ ...claim, status } as KubeObject, this.#options);
  }

  async create(volume: PersistentVolume): Promise<void> {
    const volumes = this.#context.client.resource(builtInResources.persistentVolumes);
    await volumes.create(volume as KubeObject, this.#options);
  }

  async delete({ metadata }: PersistentVolume): Promise<void> {
    if (metadata?.deletionTimestamp !== undefined) return;
    const volumes = this.#context.client.resource(builtInResources.persistentVolumes);
    await volumes.delete({ name: metadata?.name ?? "" }, { signal: this.#signal });
  }

  emit(about: object, said: { type: EventType; reason: string; note: string }): void {
    this.#recorder.event(about as KubeObject, said);
  }

  get #options() {
    return { fieldManager, signal: this.#signal };
  }
}

function withCapacity(capacity: PersistentVolumeClaimStatus["capacity"]) {
  return capacity && { capacity };
}

function withClaim(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const { namespace = "", name = "", uid = "", resourceVersion = "" } = claim.metadata ?? {};
  const known = volume.spec?.claimRef;
  const isReserved = known?.namespace === namespace && known.name === name;
  if (isReserved && known.uid === uid) return volume;
  const claimRef = {
    kind: "PersistentVolumeClaim",
    namespace,
    name,
    uid,
    apiVersion: "v1",
    resourceVersion,
  };
  const annotations = { ...volume.metadata?.annotations };
  if (!isReserved) annotations[boundByController] ??= "yes";
  const metadata = { ...volume.metadata, annotations };
  return { ...volume, metadata, spec: { ...volume.spec, claimRef } };
}

function withVolume(claim: PersistentVolumeClaim, volume: PersistentVolume) {
  const { name = "" } = volume.metadata ?? {};
  const annotations = { ...claim.metadata?.annotations };
  if (claim.spec?.volumeName !== name) annotations[boundByController] ??= "yes";
  annotations[bindCompleted] ??= "yes";
  const metadata = { ...claim.metadata, annotations };
  return { ...claim, metadata, spec: { ...claim.spec, volumeName: name } };
}
