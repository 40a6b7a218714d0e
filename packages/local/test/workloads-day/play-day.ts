import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type KubernetesNode, waitFor } from "@rookery/testing";
import { type DayCluster, embeddedCluster, realCluster } from "./day-clusters.ts";
import { normalizeWorkloads } from "./normalize-workloads.ts";
import { type Printed, runKubectl } from "./run-kubectl.ts";
import { scripts, type TypedWorkload } from "./typed-workload.ts";

export interface Day {
  /** The name of its namespace. */
  readonly namespace: string;
  /** What is typed in the namespace. */
  readonly typed: readonly TypedWorkload[];
  startNode(): Promise<KubernetesNode>;
}

/** Types the same on a real node and on the embedded one: all that is printed has to be equal. */
export function playDay(title: string, { namespace, typed, startNode }: Day): void {
  describe(title, () => {
    const stack = new AsyncDisposableStack();
    let clusters: readonly DayCluster[] = [];

    before(async () => {
      const node = stack.use(await startNode());
      clusters = [await realCluster(node, stack), await embeddedCluster(stack)];
    });
    after(() => stack.disposeAsync());

    for (const [index, each] of inNamespace(typed).entries()) {
      it(`${index}: kubectl ${each.command}`, async () => {
        const [expected, actual] = await Promise.all(
          clusters.map((cluster) => run(each, { ...cluster, namespace })),
        );
        assert.deepEqual(actual, expected);
      });
    }
  });
}

function inNamespace(typed: readonly TypedWorkload[]): readonly TypedWorkload[] {
  return [
    { command: "create namespace {ns}" },
    { command: "config set-context --current --namespace={ns}" },
    { command: "get sa/default -o name", until: /default/ },
    ...typed,
    { command: "delete namespace {ns} --wait=false" },
  ];
}

type Place = DayCluster & Pick<Day, "namespace">;

async function run(typed: TypedWorkload, place: Place): Promise<Printed> {
  const { until, command } = typed;
  if (until === undefined) return comparedOf(await runOnce(typed, place), typed);
  let last: Printed | undefined;
  return waitFor(
    async () => {
      const printed = await runOnce(typed, place);
      last = comparedOf(printed, typed);
      return until.test(printed.out) ? last : undefined;
    },
    {
      what: `kubectl ${command}`,
      timeout: 90_000,
      interval: 500,
      detail: () => JSON.stringify(last),
    },
  );
}

function runOnce(typed: TypedWorkload, place: Place): Promise<Printed> {
  const args = typed.command.split(" ").map((word) => filledIn(word, place));
  return runKubectl(place, { ...typed, args });
}

function filledIn(word: string, { namespace, folder }: Place): string {
  const values = { ...scripts, "{ns}": namespace, "{folder}": folder };
  return Object.entries(values).reduce((text, [name, value]) => text.replaceAll(name, value), word);
}

function comparedOf({ out, err, exitCode }: Printed, typed: TypedWorkload): Printed {
  return { out: comparable(out, typed), err: comparable(err, typed), exitCode };
}

function comparable(text: string, { lastLine, anyOrder, unheard }: TypedWorkload): string {
  if (unheard) return "";
  const plain = normalizeWorkloads(text);
  const lines = plain.trimEnd().split("\n");
  if (lastLine) return lines.at(-1) ?? "";
  return anyOrder ? lines.sort().join("\n") : plain;
}
