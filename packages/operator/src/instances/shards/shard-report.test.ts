import assert from "node:assert/strict";
import { test } from "node:test";
import {
  allBut,
  everyNamespace,
  type NamespaceSet,
  noNamespaces,
  only,
} from "../../identity/namespace-set.ts";
import { reportShards, type SeenInstance, type SeenProvider } from "./shard-report.ts";

const seen = (instance: string, watched: NamespaceSet): SeenInstance => ({
  instance,
  watched,
  by: "flag",
  first: instance === "one",
  measured: {},
});
const core = (
  instances: readonly SeenInstance[],
  pending: SeenProvider["pending"] = [],
): SeenProvider => ({
  provider: "CoreProvider cluster-api",
  instances,
  pending,
  claims: [],
  objects: new Map([
    ["a", 3],
    ["b", 2],
    ["c", 1],
  ]),
});

test("every instance is told with its namespaces and the objects in them", () => {
  const { shards, gaps, overlaps } = reportShards([
    core([seen("one", only(["a", "b"])), seen("two", allBut(["a", "b"]))]),
  ]);
  assert.deepEqual(shards, [
    {
      provider: "CoreProvider cluster-api",
      instance: "one",
      by: "flag",
      first: true,
      namespaces: ["a", "b"],
      load: { objects: 5 },
    },
    {
      provider: "CoreProvider cluster-api",
      instance: "two",
      by: "flag",
      first: false,
      excludedNamespaces: ["a", "b"],
      load: { objects: 1 },
    },
  ]);
  assert.deepEqual([gaps, overlaps], [[], []]);
});

test("a namespace with objects that nobody watches is a gap", () => {
  const { gaps } = reportShards([core([seen("one", only(["a"])), seen("two", only(["c", "d"]))])]);
  assert.deepEqual(gaps, [{ provider: "CoreProvider cluster-api", namespace: "b", objects: 2 }]);
});

test("a namespace that an instance is about to watch is handed over, and no gap", () => {
  const { gaps, handOvers } = reportShards([
    core(
      [seen("one", only(["a"])), seen("two", noNamespaces)],
      [
        { instance: "one", namespaces: only(["a"]) },
        { instance: "two", namespaces: only(["b", "d"]) },
      ],
    ),
  ]);
  const provider = "CoreProvider cluster-api";
  assert.deepEqual(handOvers, [{ provider, namespace: "b", objects: 2, to: "two" }]);
  assert.deepEqual(gaps, [{ provider, namespace: "c", objects: 1 }]);
});

test("namespaces that two watch are an overlap, those that nobody has made yet as well", () => {
  const { overlaps } = reportShards([
    core([seen("one", only(["a", "b"])), seen("two", only(["b"])), seen("three", everyNamespace)]),
  ]);
  assert.deepEqual(
    overlaps.map(({ instances, namespaces }) => [instances, namespaces]),
    [
      [["one", "two"], ["b"]],
      [
        ["one", "three"],
        ["a", "b"],
      ],
      [["two", "three"], ["b"]],
    ],
  );
});
