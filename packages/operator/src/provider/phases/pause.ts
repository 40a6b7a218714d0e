import { type Component, type ComponentKey, componentKeyOf } from "@rookery/components";
import { fieldManager } from "../../components/component-client.ts";
import type { Deployment } from "../../components/deployment.ts";
import { checkUnpause } from "../../preflight/contract-rules.ts";
import { deployments } from "../../resources.ts";
import { deploymentsIn } from "../health/health.ts";
import type { ProviderScope } from "../scope.ts";

/** The replicas of a paused Deployment before the pause. */
const originalReplicasAnnotation = "management.cluster.x-k8s.io/original-controller-replicas";

/** Records the replicas of all Deployments, and then scales them to 0. */
export async function pause(scope: ProviderScope): Promise<void> {
  const { record } = scope;
  if (record.state.replicas !== undefined && isKnownToBePaused(scope)) return;
  const running = await runningDeployments(scope);
  const counts = running.map(({ metadata, spec }) => [metadata.name ?? "", spec?.replicas ?? 1]);
  const replicas = { ...record.state.replicas, ...Object.fromEntries(counts) };
  await record.save({ ...record.state, replicas });
  for (const { metadata, spec } of running) {
    const { namespace = "", name = "" } = metadata;
    await scale(scope, { namespace, name }, [0, `${spec?.replicas ?? 1}`]);
  }
}

/** Scales Deployments up, and applies all components again. Errors: PhaseError. */
export async function unpause(scope: ProviderScope): Promise<void> {
  const { record } = scope;
  const { replicas, ...state } = record.state;
  if (replicas === undefined) return;
  checkUnpause(scope.views());
  for (const { namespace = "", name } of deploymentsIn(state.owned)) {
    const deployment = await getDeployment(scope, { namespace, name });
    const annotated = deployment?.metadata.annotations?.[originalReplicasAnnotation];
    const original = replicas[name] ?? Number(annotated ?? 1);
    const isPaused = annotated !== undefined || deployment?.spec?.replicas === 0;
    if (deployment && isPaused) await scale(scope, { namespace, name }, [original, null]);
  }
  const phase = state.release?.adopted ? "Verifying" : "Applying";
  const isApplied = state.phase === "Stable" || state.phase === "Verifying";
  await record.save({ ...state, ...(isApplied && { phase }) });
}

/** The form in which a Deployment is applied while its provider is paused. */
export function withoutReplicas(
  component: Component,
  replicas: Readonly<Record<string, number>> = {},
): Component {
  const { group, kind, name } = componentKeyOf(component);
  if (group !== "apps" || kind !== "Deployment") return component;
  const spec = Object(component.spec) as { readonly replicas?: number };
  const original = replicas[name] ?? spec.replicas ?? 1;
  const { metadata } = component;
  const annotations = { ...metadata.annotations, [originalReplicasAnnotation]: `${original}` };
  return { ...component, metadata: { ...metadata, annotations }, spec: { ...spec, replicas: 0 } };
}

/** By the cache, so that a long pause costs no requests. */
function isKnownToBePaused({ record, provider, observedDeployments }: ProviderScope): boolean {
  const known = new Map(observedDeployments(provider).map((one) => [one.metadata.name, one]));
  return deploymentsIn(record.state.owned).every(
    ({ name }) => known.get(name)?.spec?.replicas === 0,
  );
}

async function runningDeployments(scope: ProviderScope): Promise<readonly Deployment[]> {
  const keys = deploymentsIn(scope.record.state.owned);
  const found = await Promise.all(keys.map((key) => getDeployment(scope, key)));
  return found.filter((one) => one !== undefined).filter(({ spec }) => spec?.replicas !== 0);
}

async function getDeployment(
  { components }: ProviderScope,
  key: Pick<ComponentKey, "namespace" | "name">,
): Promise<Deployment | undefined> {
  const { group, version, kind } = deployments;
  return (await components.get({ ...key, group, version, kind })) as Deployment | undefined;
}

async function scale(
  { client }: ProviderScope,
  key: { readonly namespace: string; readonly name: string },
  [replicas, annotation]: readonly [replicas: number, annotation: string | null],
): Promise<void> {
  const annotations = { [originalReplicasAnnotation]: annotation };
  const patch = { metadata: { annotations }, spec: { replicas } };
  const options = { fieldManager: `${fieldManager}-pause` };
  await client.resource(deployments).patch(key, { type: "merge", patch }, options);
}
