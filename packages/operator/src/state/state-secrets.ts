import type { Provider } from "@rookery/api";
import { contentHash } from "@rookery/components";
import { type KubeObject, type ObjectMeta, ownerReferenceTo } from "@rookery/kube";
import {
  admitsAnnotation,
  firstInstanceAnnotation,
  readScope,
  rightsAnnotation,
  watchAnnotation,
  watchedBy,
} from "../components/watch-annotation.ts";
import { scopeOf } from "../identity/namespace-set.ts";
import type { InstallState, ReleaseReference } from "./install-state.ts";
import { type Rights, recordedRights, recordedScope } from "./install-state.ts";
import type { ProviderView } from "./provider-view.ts";

export interface SecretObject extends KubeObject {
  readonly type?: string;
  readonly immutable?: boolean;
  readonly data?: Readonly<Record<string, string>>;
}

const prefix = "management.cluster.x-k8s.io";

export function decodedData(data: Readonly<Record<string, string>> = {}): Record<string, string> {
  const entries = Object.entries(data);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, Buffer.from(value, "base64").toString()]),
  );
}

/** On all Secrets of the operator, with their purpose as value. */
export const rememberedLabel = `${prefix}/operator-record`;
/** The uid of the provider that a Secret is for. */
export const providerUidLabel = `${prefix}/provider-uid`;
/** Keeps a state until the operator has removed the provider, also if its owner is deleted in the foreground. */
export const stateFinalizer = `${prefix}/operator-record`;
/** The number of Secrets of a release. */
export const partsAnnotation = `${prefix}/parts`;

/** The parts of a state that are read without its content. */
export const summaryAnnotations = {
  version: `${prefix}/installed-version`,
  contract: `${prefix}/installed-contract`,
  nextVersion: `${prefix}/next-version`,
  nextContract: `${prefix}/next-contract`,
  phase: `${prefix}/phase`,
  watch: watchAnnotation,
  admits: admitsAnnotation,
  first: firstInstanceAnnotation,
  rights: rightsAnnotation,
} as const;
/** On a state: the seal of its metadata, and the hash of its content. */
export const sealAnnotation = `${prefix}/seal`;
export const dataHashAnnotation = `${prefix}/content-hash`;

export function stateKey({ kind, metadata }: Provider): { namespace: string; name: string } {
  const { namespace = "", name = "" } = metadata;
  return { namespace, name: fitting(`${kind.toLowerCase()}-${name}-state`) };
}

/** The key of one part of a release; it includes the uid of the provider. */
export function releaseKey({ kind, metadata }: Provider, id: string, part: number) {
  const { namespace = "", name = "", uid } = metadata;
  const digest = contentHash([uid, id]).slice(0, 16);
  return { namespace, name: fitting(`${kind.toLowerCase()}-${name}-release-${digest}-${part}`) };
}

/** The state in a Secret, without verification. */
export function stateOf({ data }: SecretObject): InstallState | undefined {
  if (data?.state === undefined) return undefined;
  return JSON.parse(Buffer.from(data.state, "base64").toString()) as InstallState;
}

export function stateSecret(metadata: ObjectMeta, state: InstallState): SecretObject {
  return {
    apiVersion: "v1",
    kind: "Secret",
    type: `${rememberedLabel}-state`,
    metadata,
    data: { state: Buffer.from(JSON.stringify(state)).toString("base64") },
  };
}

export function stateMetadata(provider: Provider, state: InstallState): ObjectMeta {
  const { phase, layout } = state;
  const installed = workingRelease(state);
  const next = nextRelease(state);
  const rights = recordedRights(state);
  return {
    ...stateKey(provider),
    labels: { [rememberedLabel]: "state", [providerUidLabel]: provider.metadata.uid ?? "" },
    annotations: {
      [summaryAnnotations.phase]: phase,
      ...(installed && {
        [summaryAnnotations.version]: installed.version,
        [summaryAnnotations.contract]: installed.contract,
      }),
      ...(next && {
        [summaryAnnotations.nextVersion]: next.version,
        [summaryAnnotations.nextContract]: next.contract,
      }),
      [summaryAnnotations.watch]: JSON.stringify(scopeOf(recordedScope(state))),
      ...(rights && { [summaryAnnotations.rights]: rights }),
      ...(layout &&
        isApplied(state) && {
          [summaryAnnotations.admits]: JSON.stringify(layout.admits),
          [summaryAnnotations.first]: `${layout.first}`,
        }),
    },
    finalizers: [stateFinalizer],
    ownerReferences: [ownerReferenceTo(provider)],
  };
}

/** The release in the cluster; during a change, the previous one. */
export function installedRelease(state: InstallState): ReleaseReference | undefined {
  const isInCluster = isApplied(state) || state.phase === "Redividing";
  return isInCluster ? state.release : state.lastGood;
}

function isApplied({ phase }: InstallState): boolean {
  return phase === "Verifying" || phase === "Stable";
}

/** The release that was verified last. */
export function workingRelease(state: InstallState): ReleaseReference | undefined {
  return state.phase === "Stable" ? state.release : (state.lastGood ?? installedRelease(state));
}

/** The release that is being installed. */
export function nextRelease(state: InstallState): ReleaseReference | undefined {
  return state.release?.id === workingRelease(state)?.id ? undefined : state.release;
}

/** The summary in the annotations of a state. */
export function summaryOf(
  metadata: ObjectMeta,
): Pick<ProviderView, "installed" | "next" | "watching" | "admits" | "isFirst"> {
  const { annotations = {} } = metadata;
  const { version, contract, nextVersion, nextContract } = summaryAnnotations;
  const release = (versionKey: string, contractKey: string) => ({
    version: annotations[versionKey] ?? "",
    contract: annotations[contractKey] ?? "",
  });
  const [installed, next] = [release(version, contract), release(nextVersion, nextContract)];
  const admits = readScope(annotations[admitsAnnotation]);
  return {
    ...(installed.contract && { installed }),
    ...(next.contract && { next }),
    watching: watchedBy(metadata),
    ...(admits && { admits }),
    isFirst: annotations[firstInstanceAnnotation] === "true",
  };
}

/** The rights in the annotations of a state; to be used only with a valid seal. */
export function rightsIn({ annotations = {} }: ObjectMeta): Rights | undefined {
  const rights = annotations[rightsAnnotation];
  return rights === "Cluster" || rights === "Namespaced" ? rights : undefined;
}

/** Names have at most 253 characters. */
function fitting(name: string): string {
  return name.length <= 253 ? name : `${name.slice(0, 236)}-${contentHash(name).slice(0, 16)}`;
}
