import { matchesAny } from "./allowances.ts";

/** Fields that a patch may set. A step may have a trailing "*". */
interface PathPattern {
  readonly steps: readonly string[];
  /** Fields that are not allowed anywhere below. */
  readonly without?: readonly string[];
}

interface RefusedPath {
  /** As in "spec.template.spec.containers[etcd].image". */
  readonly path: string;
  readonly value: unknown;
}

/** The prefix of labels and annotations of tenants, which nothing else uses. */
const ownKeys = "tenant.rookery.dev/*";
const metadata = [`metadata.labels[${ownKeys}]`, `metadata.annotations[${ownKeys}]`];
const timings = [
  ...["failureThreshold", "initialDelaySeconds", "periodSeconds", "successThreshold"],
  "timeoutSeconds",
];
const probes = ["livenessProbe", "readinessProbe", "startupProbe"];

/** Scheduling, resources and probe times: fields that do not affect other tenants. */
function workloadPaths(container: string): readonly PathPattern[] {
  const pod = "spec.template.spec";
  const own = `${pod}.containers[${container}]`;
  const paths = [
    "metadata.annotations[nested.rookery.dev/progress-deadline-seconds]",
    ...["spec.minReadySeconds", "spec.progressDeadlineSeconds", "spec.revisionHistoryLimit"],
    ...metadata.map((path) => `spec.template.${path}`),
    ...[`${pod}.nodeSelector`, `${pod}.tolerations`, `${pod}.topologySpreadConstraints`],
    ...[`${own}.name`, `${own}.resources.limits`, `${own}.resources.requests`],
    ...probes.flatMap((probe) => timings.map((timing) => `${own}.${probe}.${timing}`)),
  ];
  // Affinity to pods of other namespaces would keep them from nodes.
  const affinity = {
    steps: stepsOf(`${pod}.affinity`),
    without: ["namespaces", "namespaceSelector"],
  };
  return [...paths.map(patternOf), affinity];
}

const targets = ["apiVersion", "kind", "metadata.name", "metadata.namespace"];

/** The fields that patches of a kind may set: by default, and by allowances. */
export function allowedPaths(
  kind: string,
  container: string,
  allowed: readonly string[],
): readonly PathPattern[] {
  const isWorkload = kind === "Deployment" || kind === "StatefulSet";
  const more = allowed.filter((one) => one.startsWith(`${kind}:`));
  return [
    ...[...targets, ...metadata].map(patternOf),
    ...(isWorkload ? workloadPaths(container) : []),
    ...more.map((one) => patternOf(one.slice(kind.length + 1))),
  ];
}

/** The fields of a patch that no pattern allows, each at its first differing step. */
export function refusedPaths(patch: unknown, patterns: readonly PathPattern[]): RefusedPath[] {
  return walk(patch, "", patterns);
}

function walk(value: unknown, path: string, patterns: readonly PathPattern[]): RefusedPath[] {
  const reached = patterns.filter(({ steps }) => steps.length === 0);
  if (reached.length > 0) return refusedBelow(value, path, reached);
  if (typeof value !== "object" || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([key, child]) => {
    const step = Array.isArray(value) ? nameOf(child, key) : key;
    const next = patterns.flatMap((pattern) => stepInto(pattern, step));
    const at = pathOf(path, step, Array.isArray(value));
    return next.length === 0 ? [{ path: at, value: child }] : walk(child, at, next);
  });
}

function stepInto({ steps: [first = "", ...rest], ...pattern }: PathPattern, step: string) {
  return matchesAny(step, [first]) ? [{ ...pattern, steps: rest }] : [];
}

/** Without recursion, because the depth is unlimited. */
function refusedBelow(
  value: unknown,
  path: string,
  reached: readonly PathPattern[],
): RefusedPath[] {
  if (reached.some(({ without = [] }) => without.length === 0)) return [];
  const forbidden = new Set(reached.flatMap(({ without = [] }) => without));
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    for (const [key, child] of Object.entries(next)) {
      if (forbidden.has(key) && !Array.isArray(next)) return [{ path: `${path}…${key}`, value }];
      open.push(child);
    }
  }
  return [];
}

/** Items of a list are identified by name. */
function nameOf(item: unknown, index: string): string {
  const { name } = Object(item) as { readonly name?: unknown };
  return typeof name === "string" ? name : index;
}

function pathOf(path: string, step: string, isItem: boolean): string {
  if (isItem || !/^[\w$-]+$/.test(step)) return `${path}[${step}]`;
  return path === "" ? step : `${path}.${step}`;
}

function patternOf(path: string): PathPattern {
  return { steps: stepsOf(path) };
}

function stepsOf(path: string): string[] {
  return [...path.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([step, key]) => key ?? step);
}
