import type { NestedEtcd } from "@rookery/api";
import { applyObjects } from "../component/apply-objects.ts";
import {
  chooseRevision,
  type RevisionChoice,
  type RunningRevision,
} from "../component/choose-revision.ts";
import { failureCause } from "../component/failure-cause.ts";
import type { ControlPlaneOf } from "../component/home.ts";
import { notApplicableBeside } from "../component/not-applicable.ts";
import { type Report, withAuthorities } from "../component/report.ts";
import { requiredSecrets } from "../component/required-secrets.ts";
import { type Revision, revisionOf } from "../component/revision.ts";
import { recordFailure, tellOfRollOut } from "../component/roll-out.ts";
import { secretInputs } from "../component/secret-inputs.ts";
import { blockedReport } from "../component/serving.ts";
import { namesApiServer } from "../component/siblings.ts";
import { changeProblem, isSameMinor } from "../component/skew.ts";
import { ComponentError } from "../errors.ts";
import type { StatefulSet } from "../manifests/kinds.ts";
import type { Companions } from "../manifests/pod-template.ts";
import { componentLabel, etcdClaimName, leafSecret, workloadName } from "../names.ts";
import { refuseClosedFields } from "../policy/closed-fields.ts";
import { persistentVolumeClaims, statefulSets } from "../resources.ts";
import {
  type Connection,
  connectionsTo,
  type EtcdObservation,
  observeEtcd,
  podsOf,
} from "./observe.ts";
import { takeStep } from "./phases/take-step.ts";
import { rollOutOf, runningOf } from "./plan.ts";
import { renderEtcd } from "./render.ts";
import { etcdReadiness, etcdReport, newAddresses } from "./report.ts";
import { isUpdated } from "./roll-out.ts";
import type { EtcdDependencies } from "./scope.ts";
import { etcdSecrets, healthSecret } from "./secrets.ts";

/** Brings an etcd one step closer to what its spec says. */
export async function provisionEtcd(
  etcd: NestedEtcd,
  home: ControlPlaneOf,
  dependencies: EtcdDependencies,
): Promise<Report> {
  const without = await whyWithout(etcd, home, dependencies);
  if (without) return without;
  let connections: Connection[] = [];
  try {
    refuseClosedFields(etcd, dependencies.allowances);
    const { inputs, authorities, companions } = await secretInputs(
      etcd,
      etcdSecrets(home.cluster),
      dependencies,
    );
    connections = await connect(home, dependencies);
    const report = await advance(etcd, { ...home, connections, inputs, companions }, dependencies);
    return withAuthorities(report, authorities);
  } catch (error) {
    if (!(error instanceof ComponentError)) throw error;
    const found = await podsOf(home, dependencies);
    const observed = await observeEtcd(home, found, { ...dependencies, connections: [] });
    // Others wait for certificates as well, and need not wait for this one after them.
    const status = error.reason === "WaitingForCertificates" ? newAddresses(etcd, home) : {};
    return { ...blockedReport(error, etcdReadiness(observed)), status };
  } finally {
    await Promise.all(connections.map(({ gateway }) => gateway[Symbol.asyncDispose]()));
  }
}

/** Connections to all members that have an address; their credentials are read where there is one. */
async function connect(
  home: ControlPlaneOf,
  dependencies: EtcdDependencies,
): Promise<Connection[]> {
  const found = await podsOf(home, dependencies);
  if (![...found.values()].some(({ status }) => status?.podIP)) return [];
  const { content } = await requiredSecrets(home, healthSecret(home.cluster), dependencies);
  const tls = content[leafSecret(home.cluster, "etcd-health")] ?? {};
  return connectionsTo(home, found, { ...dependencies, tls });
}

/**
 * What is to be said where no etcd is to run: the API server's profile does without, or it is not known
 * yet whether it does. What runs already goes on.
 */
async function whyWithout(
  etcd: NestedEtcd,
  home: ControlPlaneOf,
  dependencies: EtcdDependencies,
): Promise<Report | undefined> {
  const { apiServer } = await dependencies.getSiblings(home);
  if (apiServer) return notApplicableBeside(apiServer, etcd);
  if (!namesApiServer(home)) return undefined;
  const { namespace, cluster } = home;
  const name = workloadName(cluster, "etcd");
  if (await dependencies.find(statefulSets, { namespace, name })) return undefined;
  const why = `NestedAPIServer ${home.controlPlane.spec.apiserver?.name} is not there yet`;
  return blockedReport(new ComponentError("WaitingForAPIServer", why), undefined);
}

interface EtcdScope extends ControlPlaneOf {
  readonly connections: readonly Connection[];
  readonly inputs: string;
  readonly companions: Companions;
}

async function advance(
  etcd: NestedEtcd,
  scope: EtcdScope,
  dependencies: EtcdDependencies,
): Promise<Report> {
  const { imageRepository, allowances, clock } = dependencies;
  const found = await podsOf(scope, dependencies);
  const observed = await observeEtcd(scope, found, { ...dependencies, ...scope });
  const desired = revisionOf("etcd", etcd.spec);
  const running = runningOf(observed, clock);
  const choice = chooseEtcdRevision(desired, running, etcd.status?.failedRevision);
  const findCause = async () => causeOf(observed);
  const failedRevisionCause = await recordFailure(etcd, choice, { ...dependencies, findCause });
  const { lastGood } = choice;
  const problem = versionProblem(choice);
  const revision = problem && lastGood ? lastGood : choice.revision;
  const step = { ...scope, ...dependencies, desired: etcd.spec.replicas };
  const taken = await takeStep(etcd, observed, step);
  const { seats } = taken;
  const { inputs, companions } = scope;
  await refuseOthersClaims(scope, { ...dependencies, observed, replicas: etcd.spec.replicas });
  const settings = { imageRepository, allowances };
  const rendering = { etcd, revision, lastGood, observed, seats, inputs, companions, ...settings };
  const objects = renderEtcd({ ...scope, ...rendering });
  const applied = await applyObjects(etcd, objects, dependencies);
  if (revision === desired) {
    tellOfRollOut(etcd, { running: running?.name, revision }, dependencies);
  }
  const statefulSet = applied.find(({ kind }) => kind === "StatefulSet") as StatefulSet;
  const rollOut = rollOutOf(observed, statefulSet, clock);
  const outcome = {
    etcd,
    observed,
    statefulSet,
    choice,
    failedRevisionCause,
    desired,
    rollOut,
    problem,
  };
  return etcdReport({ ...scope, ...taken, ...outcome });
}

/** Why the pods of the newest template do not become ready. */
function causeOf({ statefulSet, pods: found }: EtcdObservation): string | undefined {
  const all = [...found.values()];
  return failureCause(all.filter((pod) => statefulSet && isUpdated(pod, statefulSet)));
}

/** A StatefulSet takes every claim that has the name of one of its own: another's data would be written over. */
async function refuseOthersClaims(
  { cluster, namespace }: ControlPlaneOf,
  {
    observed,
    replicas,
    read,
  }: Pick<EtcdDependencies, "read"> & {
    readonly observed: EtcdObservation;
    readonly replicas: number;
  },
): Promise<void> {
  const unseen = Array.from({ length: replicas }, (_, ordinal) => ordinal).filter(
    (ordinal) => !observed.claims.has(ordinal),
  );
  for (const ordinal of unseen) {
    const name = etcdClaimName(cluster, ordinal);
    const claim = await read(persistentVolumeClaims, { namespace, name });
    if (!claim || claim.metadata.labels?.[componentLabel] === "etcd") continue;
    const why = `PersistentVolumeClaim ${name} belongs to somebody else`;
    throw new ComponentError("ObjectTaken", `${why}; delete it, or give the Cluster another name`);
  }
}

/** There is no way back over a minor version: the data may be in the newer form already. */
function chooseEtcdRevision(
  desired: Revision,
  running: RunningRevision | undefined,
  failed: string | undefined,
): RevisionChoice {
  const choice = chooseRevision(desired, running, failed);
  const { lastGood } = choice;
  const isOneWay = lastGood !== undefined && !isSameMinor(lastGood.version, desired.version);
  return isOneWay ? { revision: desired, lastGood, failed: undefined } : choice;
}

function versionProblem({ revision, lastGood }: RevisionChoice): ComponentError | undefined {
  const problem = lastGood && changeProblem(lastGood.version, revision.version);
  return problem ? new ComponentError("VersionSkew", problem) : undefined;
}
