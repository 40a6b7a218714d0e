import type { KubeObject } from "@rookery/kube";
import type { SecretContent } from "../component/secret-inputs.ts";
import { EtcdRequestError } from "../errors.ts";
import type { Place } from "../manifests/deployment.ts";
import type { ConfigMap, Pod, StatefulSet } from "../manifests/kinds.ts";
import {
  etcdClientPort,
  etcdMemberHost,
  mostEtcdMembers,
  selectorLabels,
  workloadName,
} from "../names.ts";
import { configMaps, persistentVolumeClaims, pods, statefulSets } from "../resources.ts";
import type { EtcdGateway, EtcdMember } from "./gateway.ts";
import { type MembershipRecord, readMembership, seatsOf } from "./initial-cluster.ts";
import type { Seat } from "./membership.ts";
import { isReady, ordinalOf } from "./roll-out.ts";
import type { EtcdScope } from "./scope.ts";

export interface EtcdObservation {
  readonly statefulSet: StatefulSet | undefined;
  readonly record: MembershipRecord;
  readonly pods: ReadonlyMap<number, Pod>;
  readonly claims: ReadonlyMap<number, KubeObject>;
  /** Undefined without the answer of a quorum. */
  readonly seats: readonly Seat[] | undefined;
  /** Ordinals whose member is in contact with a quorum, also learners. */
  readonly healthy: ReadonlySet<number>;
}

export interface Connection {
  readonly ordinal: number;
  readonly gateway: EtcdGateway;
}

type Reader = Pick<EtcdScope, "find" | "list">;

/** Connects to all members with a pod address, ready members first. */
export function connectionsTo(
  place: Place,
  found: ReadonlyMap<number, Pod>,
  { connect, tls }: Pick<EtcdScope, "connect"> & { readonly tls: SecretContent },
): Connection[] {
  return [...found]
    .toSorted(([, a], [, b]) => Number(isReady(b)) - Number(isReady(a)))
    .flatMap(([ordinal, { status }]) => {
      if (!status?.podIP) return [];
      const host = status.podIP.includes(":") ? `[${status.podIP}]` : status.podIP;
      const servername = etcdMemberHost(place.cluster, place.namespace, ordinal);
      const [ca = "", cert = "", key = ""] = [tls["ca.crt"], tls["tls.crt"], tls["tls.key"]];
      const origin = `https://${host}:${etcdClientPort}`;
      return [{ ordinal, gateway: connect({ origin, tls: { ca, cert, key, servername } }) }];
    });
}

export async function podsOf({ cluster, namespace }: Place, { list }: Reader) {
  return byOrdinal(await list<Pod>(pods, namespace, selectorLabels(cluster, "etcd")));
}

export async function observeEtcd(
  place: Place,
  found: ReadonlyMap<number, Pod>,
  { find, list, connections }: Reader & { readonly connections: readonly Connection[] },
): Promise<EtcdObservation> {
  const { cluster, namespace } = place;
  const key = { namespace, name: workloadName(cluster, "etcd") };
  const labels = selectorLabels(cluster, "etcd");
  const configMap = await find<ConfigMap>(configMaps, key);
  const statefulSet = await find<StatefulSet>(statefulSets, key);
  const claims = byOrdinal(await list(persistentVolumeClaims, namespace, labels));
  const record = readMembership(configMap?.data);
  // Without its record, an existing cluster must not be bootstrapped again.
  const hasState = !configMap && (statefulSet !== undefined || claims.size > 0);
  const members = await listMembers(connections);
  const asked = await Promise.all(
    connections.map(async ({ ordinal, gateway }) => ((await gateway.isHealthy()) ? [ordinal] : [])),
  );
  return {
    statefulSet,
    record: hasState ? { ...record, isBootstrapped: true } : record,
    pods: found,
    claims,
    seats: members && seatsOf(place, members, mostEtcdMembers),
    healthy: new Set(asked.flat()),
  };
}

/** The members by the first member that answers for a quorum. */
export async function listMembers(
  connections: readonly Connection[],
): Promise<readonly EtcdMember[] | undefined> {
  for (const { gateway } of connections) {
    try {
      return await gateway.members();
    } catch (error) {
      if (!(error instanceof EtcdRequestError)) throw error;
    }
  }
  return undefined;
}

function byOrdinal<O extends KubeObject>(objects: readonly O[]): Map<number, O> {
  return new Map(
    objects.flatMap((object) => {
      const ordinal = ordinalOf(object.metadata.name);
      return ordinal === undefined ? [] : [[ordinal, object] as const];
    }),
  );
}
