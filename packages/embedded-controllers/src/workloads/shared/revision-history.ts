import type { PodTemplateSpec } from "@rookery/api";
import { controllerReferenceTo, isAlreadyExists, objectKeyOf } from "@rookery/kube";
import { claim } from "./claim.ts";
import { canonicalJson } from "./hash.ts";
import { findObject, type Kind, kinds } from "./kinds.ts";
import { writerOf } from "./object-writer.ts";
import type { Revision, Stored } from "./objects.ts";
import type { Scope } from "./workload-context.ts";

/** The ControllerRevisions of a workload, the oldest first. */
export async function claimRevisions(
  owner: Stored,
  ownerKind: Kind<Stored>,
  scope: Scope,
): Promise<Revision[]> {
  const dependents = scope.context.revisions;
  const claimed = await claim(owner, { dependents, ownerKind }, scope);
  return claimed.toSorted(compareRevisions);
}

function compareRevisions(a: Revision, b: Revision): number {
  const created = ({ metadata }: Revision) => Date.parse(metadata.creationTimestamp ?? "") || 0;
  const isFirst = (a.metadata.name ?? "") < (b.metadata.name ?? "");
  return numberOf(a) - numberOf(b) || created(a) - created(b) || (isFirst ? -1 : 1);
}

export function numberOf({ revision = 0 }: Revision): number {
  return revision;
}

/** A template as a revision keeps it: a patch that puts it in the place of another. */
export function revisionData(template: PodTemplateSpec): object {
  return { spec: { template: { ...template, $patch: "replace" } } };
}

/** The template that a revision keeps. */
export function templateOf({ data }: Revision): PodTemplateSpec {
  const { spec } = (data ?? {}) as { spec?: { template?: PodTemplateSpec & { $patch?: string } } };
  const { $patch: _, ...template } = spec?.template ?? {};
  return template;
}

export function isSameData(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

/** A revision that is not stored yet. */
export function revisionOf(
  owner: Stored,
  {
    name,
    labels,
    data,
    revision,
  }: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly data: object;
    readonly revision: number;
  },
): Revision {
  const { namespace = "", annotations } = owner.metadata;
  return {
    apiVersion: "apps/v1",
    kind: "ControllerRevision",
    metadata: {
      name,
      namespace,
      labels,
      ...(annotations && { annotations }),
      ownerReferences: [controllerReferenceTo(owner)],
    },
    data,
    revision,
  } as object as Revision;
}

/** Stores a revision; undefined where the name is taken by another template. */
export async function createRevision(
  revision: Revision,
  scope: Scope,
): Promise<Revision | undefined> {
  try {
    return await writerOf(scope, kinds.revisions).create(revision);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const taken = findObject(scope.context.store, kinds.revisions, objectKeyOf(revision));
    return taken && isSameData(taken.data, revision.data) ? taken : undefined;
  }
}

/** Gives a revision another number: an old template is the newest again. */
export function renumber(revision: Revision, number: number, scope: Scope): Promise<Revision> {
  const { spec: _, status: __, ...stored } = revision;
  const renumbered = { ...stored, revision: number };
  return writerOf(scope, kinds.revisions).update(renumbered);
}

export function deleteRevision(revision: Revision, scope: Scope): Promise<void> {
  return writerOf(scope, kinds.revisions).delete(revision);
}
