import { parsedOr } from "../component/revision.ts";
import type { Place } from "../manifests/deployment.ts";
import { etcdMemberHost, etcdMemberName, etcdPeerPort } from "../names.ts";
import type { EtcdMember } from "./gateway.ts";
import type { Seat } from "./membership.ts";

/** The data that members read at their first start, and the volumes of joined members. */
export interface MembershipRecord {
  readonly isBootstrapped: boolean;
  /** The UID of each ordinal's volume claim. */
  readonly volumes: Readonly<Record<string, string>>;
  /** The stored data; undefined if there is none. */
  readonly data: Readonly<Record<string, string>> | undefined;
}

const nothing: MembershipRecord = { isBootstrapped: false, volumes: {}, data: undefined };

/**
 * A name that no member has. A member without its data must not rejoin under its old identity: it does not find
 * itself in this list, and exits. Members with data ignore it.
 */
const nobodyJoins = "nobody-joins-now=https://127.0.0.1:2380";

export function readMembership(
  data: Readonly<Record<string, string>> | undefined,
): MembershipRecord {
  if (data === undefined) return nothing;
  return {
    isBootstrapped: data["initial-cluster-state"] === "existing",
    volumes: parsedOr({}, data.volumes),
    data,
  };
}

/** The membership of a new cluster, which starts with one member. */
export function bootstrapMembership(place: Place): Record<string, string> {
  return {
    "initial-cluster": entry(place, 0),
    "initial-cluster-state": "new",
    volumes: "{}",
  };
}

/** The membership of an existing cluster. The list of members is published only while one joins. */
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

/** The members with the address of an ordinal, sorted. */
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
