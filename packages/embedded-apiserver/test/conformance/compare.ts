import { isDeepStrictEqual } from "node:util";
import type { Kubernetes } from "@rookery/testing";
import { type Answer, type Exchange, normalize, play, type Scenario } from "@rookery/testing";
import { definitions } from "./crds.ts";
import { startHook } from "./hook.ts";
import { scenarios } from "./scenarios.ts";
import { webhooks } from "./webhooks.ts";

/** An exchange that two servers answered differently. */
export interface Difference {
  /** "creating a ConfigMap: with nothing" */
  readonly exchange: string;
  readonly real: Answer | undefined;
  readonly own: Answer | undefined;
}

export interface Comparison {
  readonly compared: number;
  readonly differences: readonly Difference[];
}

const atOnce = 6;

/** Plays all scenarios on both, or those whose name has a word in it. */
export async function compare(real: Kubernetes, own: Kubernetes, word = ""): Promise<Comparison> {
  for (const definition of definitions) {
    await Promise.all([real, own].map((kubernetes) => kubernetes.applyCrd(definition)));
  }
  await using hook = await startHook();
  const waiting = [...scenarios, ...webhooks(hook)].filter(({ name }) => name.includes(word));
  const results: Comparison[] = [];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      results.push(await compareOne(next, real, own));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return {
    compared: results.reduce((sum, { compared }) => sum + compared, 0),
    differences: results
      .flatMap(({ differences }) => differences)
      .toSorted((a, b) => (a.exchange < b.exchange ? -1 : 1)),
  };
}

async function compareOne(
  scenario: Scenario,
  real: Kubernetes,
  own: Kubernetes,
): Promise<Comparison> {
  const [realAnswers, ownAnswers] = await Promise.all([
    played(scenario, real),
    played(scenario, own),
  ]);
  const differences = heard(scenario).flatMap(({ what }, index): Difference[] => {
    const [left, right] = [realAnswers[index], ownAnswers[index]];
    if (isDeepStrictEqual(left, right)) return [];
    return [{ exchange: `${scenario.name}: ${what}`, real: left, own: right }];
  });
  return { compared: heard(scenario).length, differences };
}

function heard({ exchanges }: Scenario): readonly Exchange[] {
  return exchanges.filter(({ silent }) => !silent);
}

async function played(scenario: Scenario, kubernetes: Kubernetes): Promise<readonly Answer[]> {
  const { answers, namespace } = await play(scenario, kubernetes);
  const compared = answers.filter((_, index) => !scenario.exchanges[index]?.silent);
  return normalize(compared, namespace);
}
