import { formatApiVersion } from "@rookery/kube";
import { NoMatchError } from "../errors.ts";
import type { PartialKind, PartialResource, ResourceIndex } from "./resource-index.ts";

/** The error for a kind that is not served, with what comes closest. */
export function noKind(wanted: PartialKind, index: ResourceIndex): NoMatchError {
  const known = closestKinds(wanted, index) ?? closestGroup(wanted.group, index);
  return new NoMatchError(wanted, known + failures(index));
}

export function noResource(wanted: PartialResource, index: ResourceIndex): NoMatchError {
  const elsewhere = index.named({ resource: wanted.resource });
  const known = elsewhere
    ? `the server serves it in ${formatApiVersion(elsewhere)}`
    : closestGroup(wanted.group, index);
  return new NoMatchError(wanted, known + failures(index));
}

function closestKinds({ group, kind }: PartialKind, index: ResourceIndex): string | undefined {
  const versions = index.versionsOfKind({ group, kind });
  const same = versions.length > 0 ? versions : kindsOfOtherGroups(kind, index);
  if (same.length === 0) return undefined;
  return `the server serves it in ${same.map(formatApiVersion).join(", ")}`;
}

function kindsOfOtherGroups(kind: string, { served }: ResourceIndex) {
  return served.resources.filter((resource) => resource.kind === kind);
}

function closestGroup(group: string | undefined, { served }: ResourceIndex): string {
  const inGroup = served.resources.filter((resource) => resource.group === group);
  const kinds = [...new Set(inGroup.map(({ kind }) => kind))];
  if (kinds.length > 0) return `the group has the kinds ${kinds.join(", ")}`;
  const groups = served.groups.map(({ name }) => name || "core");
  return `the server has the groups ${groups.join(", ") || "none"}`;
}

function failures({ served }: ResourceIndex): string {
  const failed = Array.from(
    served.failed,
    ([apiVersion, { message }]) => `${apiVersion} (${message})`,
  );
  return failed.length === 0 ? "" : `; could not be discovered: ${failed.join(", ")}`;
}
