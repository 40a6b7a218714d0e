import type { Container, PodSecurityContext, SecurityContext } from "@rookery/api";
import { ContainerConfigError } from "../errors.ts";
import { type BoundPod, podText } from "../pod/pod.ts";

/** The user that a container's processes run as, where that is not the node's own. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
  /** Without the primary one. */
  readonly groups: readonly number[];
}

/** The user of Rookery's own image, and of every image whose pod asks for any user but root. */
const nonRootUser = 65_532;

export interface NodeUser {
  /** Of the node's own processes; undefined on systems without users. */
  readonly uid: number | undefined;
  /** Whether it can start processes as another user. */
  readonly canSwitch: boolean;
}

/**
 * The user of a container; undefined where it runs as the node does. Only root can start processes of
 * another user: an ordinary user's containers are not root's, whatever they ask for.
 * Errors: ContainerConfigError in a kubelet's words.
 */
export function runAsOf(pod: BoundPod, container: Container, node: NodeUser): RunAs | undefined {
  const context = effectiveContext(pod.spec.securityContext, container.securityContext);
  const { runAsNonRoot = false, runAsUser } = context;
  if (runAsNonRoot && runAsUser === 0) {
    throw userError("container's runAsUser breaks non-root policy", pod, container);
  }
  if (node.uid !== 0) return undefined;
  const uid = runAsUser ?? (runAsNonRoot ? nonRootUser : 0);
  if (uid === 0) return undefined;
  if (node.canSwitch) return { uid, ...groupsOf(pod, context.runAsGroup ?? uid) };
  if (!runAsNonRoot) return undefined;
  const why = "container has runAsNonRoot and image will run as root";
  const wayOut =
    "root can't mount or switch users on this machine; start the node as an ordinary user";
  throw userError(why, pod, container, wayOut);
}

/** A container's field wins over its pod's. */
function effectiveContext(
  pod: PodSecurityContext | undefined,
  container: SecurityContext | undefined,
): Pick<SecurityContext, "runAsNonRoot" | "runAsUser" | "runAsGroup"> {
  return {
    ...definedOf(pod),
    ...definedOf(container),
  };
}

function definedOf(context: SecurityContext | PodSecurityContext = {}) {
  const { runAsNonRoot, runAsUser, runAsGroup } = context;
  return {
    ...(runAsNonRoot !== undefined && { runAsNonRoot }),
    ...(runAsUser !== undefined && { runAsUser }),
    ...(runAsGroup !== undefined && { runAsGroup }),
  };
}

function groupsOf({ spec }: BoundPod, gid: number): Pick<RunAs, "gid" | "groups"> {
  const { fsGroup, supplementalGroups = [] } = spec.securityContext ?? {};
  const groups = new Set([...supplementalGroups, ...(fsGroup === undefined ? [] : [fsGroup])]);
  groups.delete(gid);
  return { gid, groups: [...groups] };
}

/** The user of all containers of a pod where they have one, to whom projected tokens belong. */
export function commonUser({ spec }: BoundPod): number | undefined {
  const all = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const users = all.map(
    ({ securityContext }) => effectiveContext(spec.securityContext, securityContext).runAsUser,
  );
  return new Set(users).size === 1 ? users[0] : undefined;
}

/** Arguments of chroot by which a command runs as the user. */
export function userFlags(user: RunAs | undefined): string {
  if (!user) return "";
  const { uid, gid, groups } = user;
  const all = [gid, ...groups].map((group) => `+${group}`).join(",");
  return `--userspec=+${uid}:+${gid} --groups=${all}`;
}

/** Errors of a container's user, in a kubelet's words; the way out follows where there is one. */
export function userError(
  why: string,
  pod: BoundPod,
  { name }: Container,
  wayOut?: string,
): ContainerConfigError {
  const place = `(pod: ${JSON.stringify(podText(pod))}, container: ${name})`;
  return new ContainerConfigError(`${why} ${place}${wayOut ? `: ${wayOut}` : ""}`);
}
