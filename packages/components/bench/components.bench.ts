import { parseComponents, renderComponents, replaceVariables } from "@rookery/components";
import { type Bench, clusterApiProviders, clusterApiRelease, type Side } from "@rookery/testing";
import { parseAllDocuments } from "yaml";
import { askClusterctl } from "../test/judge.ts";

const version = "v1.13.6";
const namespace = "elsewhere";
const unset = () => undefined;

/** The core's real components, 1.2 MB, from text to what is applied: beside clusterctl's own code. */
export async function createBench(): Promise<Bench & AsyncDisposable> {
  const [provider] = clusterApiProviders;
  const { components: text } = await clusterApiRelease(provider, version);
  const { kind: type, name } = provider;
  const read = (): Side => ({ name: "ours", round: () => time(() => parseComponents(text)) });
  const render = () => {
    const components = parseComponents(replaceVariables(text, unset));
    renderComponents({ provider, version, components, namespace });
  };
  const clusterctl = async () => {
    const [answer] = await askClusterctl([{ ask: "time", text, name, type, version, namespace }]);
    return Number(answer?.value);
  };
  return {
    rounds: 7,
    works: [
      {
        work: "core components, fetched to rendered",
        unit: "ms",
        better: "less",
        ours: { name: "ours", round: () => time(render) },
        peers: [{ name: "clusterctl", round: clusterctl }],
        goal: 1,
      },
      {
        work: "core components, YAML to objects",
        unit: "ms",
        better: "less",
        ours: read(),
        peers: [{ name: "yaml", round: () => time(() => readByLibrary(text)) }],
        goal: 5,
      },
    ],
    [Symbol.asyncDispose]: async () => {},
  };
}

function time(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

function readByLibrary(text: string): unknown[] {
  return parseAllDocuments(text, { version: "1.1" }).map((document) => document.toJS());
}
