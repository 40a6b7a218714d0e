import { type Component, type ComponentKey, componentKeyOf } from "@rookery/components";
import type { Deployment } from "../../components/deployment.ts";
import { deployments } from "../../resources.ts";
import { deploymentsIn } from "../health/health.ts";
import type { ProviderScope } from "../scope.ts";

/** Says how many pods a paused Deployment had. */
const originalReplicasAnnotation = "management.cluster.x-k8s.io/original-controller-replicas";

/** Scales all Deployments to 0; how many pods they had is recorded before. */
export async function pause(scope: ProviderScope): Promise<void> {
  const { record } = scope;
  if (record.state.replicas !== undefined && isKnownToRest(scope)) return;
  const running = await runningDeployments(scope);
  const counts = running.map(({ metadata, spec }) => [metadata.name ?? "", spec?.replicas ?? 1]);
  const replicas = { ...record.state.replicas, ...Object.fromEntries(counts) };
  await record.save({ ...record.state, replicas });
  for (const { metadata, spec } of running) {
    const { namespace = "", name = "" } = metadata;
    const original = `${spec?.replicas ?? 1}`;
    await scale(scope, { namespace, name }, [0, original]);
  }
}

/**
 * Gives all Deployments their pods back, and has what was recorded applied again: nobody looked after
 * it meanwhile.
 */
export async function unpause(scope: ProviderScope): Promise<void> {
  const { record } = scope;
  const { replicas = {}, ...state } = record.state;
  for (const { namespace = "", name } of deploymentsIn(state.owned)) {
    const deployment = await getDeployment(scope, { namespace, name });
    const annotated = deployment?.metadata.annotations?.[originalReplicasAnnotation];
    const original = replicas[name] ?? Number(annotated ?? 1);
    if (deployment === undefined || (annotated === undefined && deployment.spec?.replicas !== 0)) {
      continue;
    }
    await scale(scope, { namespace, name }, [original, null]);
  }
  const phase = state.release?.adopted ? "Verifying" : "Applying";
  const isApplied = state.phase === "Stable" || state.phase === "Verifying";
  await record.save({ ...state, ...(isApplied && { phase }) });
}

/** A Deployment as it is applied while its provider is paused. */
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

/** Whether no server has to be asked: in the long time that a pause may take, nothing changes. */
function isKnownToRest({ record, provider, observedDeployments }: ProviderScope): boolean {
  const known = new Map(observedDeployments(provider).map((one) => [one.metadata.name, one]));
  return deploymentsIn(record.state.owned).every(
    ({ name }) => known.get(name)?.spec?.replicas === 0,
  );
}

async function runningDeployments(scope: ProviderScope): Promise<readonly Deployment[]> {
  const keys = deploymentsIn(scope.record.state.owned);
  const found = await Promise.all(keys.map((key) => getDeployment(scope, key)));
  return found.flatMap((one) => one ?? []).filter(({ spec }) => spec?.replicas !== 0);
}

async function getDeployment(
  { components, signal }: ProviderScope,
  key: Pick<ComponentKey, "namespace" | "name">,
): Promise<Deployment | undefined> {
  const { group, version, kind } = deployments;
  return (await components.get({ ...key, group, version, kind }, signal)) as Deployment | undefined;
}

async function scale(
  { client, signal }: ProviderScope,
  key: { readonly namespace: string; readonly name: string },
  [replicas, annotation]: readonly [replicas: number, annotation: string | null],
): Promise<void> {
  const annotations = { [originalReplicasAnnotation]: annotation };
  const patch = { metadata: { annotations }, spec: { replicas } };
  const options = { fieldManager: "rookery-operator-pause", signal };
  await client.resource(deployments).patch(key, { type: "merge", patch }, options);
}
