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
import type { ProviderView } from "./provider-view.ts";
import { type Rights, recordedRights, recordedScope } from "./recorded-scope.ts";

/** A Secret, in the parts that are used here. */
export interface SecretObject extends KubeObject {
  readonly type?: string;
  readonly immutable?: boolean;
  readonly data?: Readonly<Record<string, string>>;
}

const prefix = "management.cluster.x-k8s.io";

/** Of all Secrets in which the operator remembers something; its value says what. */
export const rememberedLabel = `${prefix}/operator-record`;
/** The uid of the provider that a Secret is for. */
export const providerUidLabel = `${prefix}/provider-uid`;
/** What keeps a state until the operator itself lets go of it, also where its owner is deleted in the foreground. */
export const stateFinalizer = `${prefix}/operator-record`;
/** How many Secrets a release is split over. */
export const partsAnnotation = `${prefix}/parts`;

/** What others may read of a state without its content. */
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
/** On a state: the operator's seal over its metadata, and the hash of its content. */
export const sealAnnotation = `${prefix}/seal`;
export const dataHashAnnotation = `${prefix}/content-hash`;

/** Names the Secret of a provider's state. */
export function stateKey({ kind, metadata }: Provider): { namespace: string; name: string } {
  const { namespace = "", name = "" } = metadata;
  return { namespace, name: fitting(`${kind.toLowerCase()}-${name}-state`) };
}

/** Names a part of a release; another object of the same name has others. */
export function releaseKey({ kind, metadata }: Provider, id: string, part: number) {
  const { namespace = "", name = "", uid } = metadata;
  const digest = contentHash([uid, id]).slice(0, 16);
  return { namespace, name: fitting(`${kind.toLowerCase()}-${name}-release-${digest}-${part}`) };
}

/** What a Secret holds of a provider's state, whoever wrote it; undefined where it holds none. */
export function stateOf({ data }: SecretObject): InstallState | undefined {
  if (data?.state === undefined) return undefined;
  return JSON.parse(Buffer.from(data.state, "base64").toString()) as InstallState;
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

/** What is in the cluster; while components come and go, what was there before. */
export function installedRelease(state: InstallState): ReleaseReference | undefined {
  const isThere = isApplied(state) || state.phase === "Redividing";
  return isThere ? state.release : state.lastGood;
}

function isApplied({ phase }: InstallState): boolean {
  return phase === "Verifying" || phase === "Stable";
}

/** What works: while a change is being made and verified, what was there before it. */
export function workingRelease(state: InstallState): ReleaseReference | undefined {
  return state.phase === "Stable" ? state.release : (state.lastGood ?? installedRelease(state));
}

/** What is being put into the cluster. */
export function nextRelease(state: InstallState): ReleaseReference | undefined {
  return state.release?.id === workingRelease(state)?.id ? undefined : state.release;
}

/** What a state's annotations say is in the cluster, and is being put there, and who watches what. */
export function summaryOf(
  metadata: ObjectMeta,
): Pick<ProviderView, "installed" | "next" | "watching" | "admits" | "isFirst"> {
  const { annotations = {} } = metadata;
  const { version, contract, nextVersion, nextContract } = summaryAnnotations;
  const installed = { version: annotations[version] ?? "", contract: annotations[contract] ?? "" };
  const next = {
    version: annotations[nextVersion] ?? "",
    contract: annotations[nextContract] ?? "",
  };
  const admits = readScope(annotations[admitsAnnotation]);
  return {
    ...(installed.contract && { installed }),
    ...(next.contract && { next }),
    watching: watchedBy(metadata),
    ...(admits && { admits }),
    isFirst: annotations[firstInstanceAnnotation] === "true",
  };
}

/** Where a state's annotations say that the account has its rights. Only with a seal they mean anything. */
export function rightsIn({ annotations = {} }: ObjectMeta): Rights | undefined {
  const rights = annotations[rightsAnnotation];
  return rights === "Cluster" || rights === "Namespaced" ? rights : undefined;
}

/** Names of objects have at most 253 characters. */
function fitting(name: string): string {
  return name.length <= 253 ? name : `${name.slice(0, 236)}-${contentHash(name).slice(0, 16)}`;
}
