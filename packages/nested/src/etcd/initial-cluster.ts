import type { Place } from "../manifests/deployment.ts";
import { etcdMemberHost, etcdMemberName, etcdPeerPort } from "../names.ts";
import type { EtcdMember } from "./gateway.ts";
import type { Seat } from "./membership.ts";

/** What members read when they start for the first time, and which volumes they have joined with. */
export interface MembershipRecord {
  readonly isBootstrapped: boolean;
  /** The UID of each ordinal's volume claim. */
  readonly volumes: Readonly<Record<string, string>>;
  /** As it is written down; undefined where it is not. */
  readonly data: Readonly<Record<string, string>> | undefined;
}

const nothing: MembershipRecord = { isBootstrapped: false, volumes: {}, data: undefined };

/**
 * Nobody has this name. A member that has its data does not look; one that has lost it does not find
 * itself, and stops: it must not come back as who it was.
 */
const nobodyJoins = "nobody-joins-now=https://127.0.0.1:2380";

export function readMembership(
  data: Readonly<Record<string, string>> | undefined,
): MembershipRecord {
  if (data === undefined) return nothing;
  return {
    isBootstrapped: data["initial-cluster-state"] === "existing",
    volumes: readVolumes(data.volumes),
    data,
  };
}

function readVolumes(text: string | undefined): Readonly<Record<string, string>> {
  try {
    return JSON.parse(text ?? "{}");
  } catch {
    // Another writer has changed the record: unknown volumes count as they are.
    return {};
  }
}

/** Of a cluster that does not exist yet: it begins with one member, which others join. */
export function bootstrapMembership(place: Place): Record<string, string> {
  return {
    "initial-cluster": entry(place, 0),
    "initial-cluster-state": "new",
    volumes: "{}",
  };
}

/** Of a cluster that exists: only while a member is to join does anybody learn of the others. */
export function existingMembership(
  place: Place,
  seats: readonly Seat[],
  volumes: Readonly<Record<string, string>>,
): Record<string, string> {
  const isJoining = seats.some(({ member }) => member.name === "");
  const started = seats.filter(({ member }) => member.name !== "").map(({ ordinal }) => ordinal);
  return {
    "initial-cluster": isJoining
      ? seats.map(({ ordinal }) => entry(place, ordinal)).join(",")
      : nobodyJoins,
    "initial-cluster-state": "existing",
    volumes: JSON.stringify(
      Object.fromEntries(Object.entries(volumes).filter(([key]) => started.includes(Number(key)))),
    ),
  };
}

export function peerUrl({ cluster, namespace }: Place, ordinal: number): string {
  return `https://${etcdMemberHost(cluster, namespace, ordinal)}:${etcdPeerPort}`;
}

/** Members whose address is that of an ordinal, in order; others are none of ours. */
export function seatsOf(place: Place, members: readonly EtcdMember[], most: number): Seat[] {
  const ordinals = Array.from({ length: most }, (_, ordinal) => ordinal);
  return ordinals.flatMap((ordinal) => {
    const url = peerUrl(place, ordinal);
    const member = members.find(({ peerUrls }) => peerUrls.includes(url));
    return member ? [{ ordinal, member }] : [];
  });
}

function entry(place: Place, ordinal: number): string {
  return `${etcdMemberName(place.cluster, ordinal)}=${peerUrl(place, ordinal)}`;
}
