import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import type { ShardReport } from "@rookery/operator";
import { run } from "../../test/run.ts";
import { formatShards } from "./shards.ts";

describe("rookery shards", () => {
  it("says what it takes", async () => {
    const { code, output } = await run("shards --help");
    assert.equal(code, 0);
    assert.match(output, /--output <form>/);
  });

  it("refuses what it does not know", async () => {
    for (const args of ["shards -o xml", "shards --seconds=none", "shards now"]) {
      assert.equal((await run(args)).code, 2, args);
    }
  });

  it("says that it cannot be asked without a cluster", async () => {
    const { code, errors } = await run("shards --kubeconfig=/nowhere/kubeconfig");
    assert.equal(code, 1);
    assert.match(errors, /\/nowhere\/kubeconfig/);
  });
});

const provider = "InfrastructureProvider nests";
const shard = {
  provider,
  instance: "nests1",
  by: "flag",
  first: true,
  load: { objects: 4 },
} as const;
const report: ShardReport = { shards: [shard], claims: [], gaps: [], handOvers: [], overlaps: [] };
const below = (changes: Partial<ShardReport>) =>
  formatShards({ ...report, ...changes })
    .split("\n")
    .slice(2)
    .join("\n");

test("what nobody watches is a gap, unless an instance is about to watch it", () => {
  const [one, several] = [
    { provider, namespace: "a", objects: 1 },
    { provider, namespace: "b", objects: 2 },
  ];
  assert.equal(
    below({ gaps: [one], handOvers: [{ ...several, to: "nests2" }] }),
    "hand-over: namespace b, where InfrastructureProvider nests has 2 objects, is on its way to nests2\n" +
      "gap: nobody watches namespace a, where InfrastructureProvider nests has 1 object\n",
  );
});

test("what two watch is an overlap", () => {
  const overlap = { provider, instances: ["nests1", "nests2"], namespaces: ["a", "b"] } as const;
  assert.equal(
    below({ overlaps: [overlap] }),
    "overlap: nests1 and nests2 of InfrastructureProvider nests both watch a,b\n",
  );
});

test("what an instance claims and does not watch is told with the reason, and who has it", () => {
  const claim = { provider, instance: "nests2", namespaces: ["a", "b"] };
  assert.equal(
    below({
      claims: [
        {
          ...claim,
          reason: "NamespaceClash",
          watchedBy: [{ instance: "nests1", namespaces: ["a"] }],
        },
        { ...claim, instance: "nests3", reason: "VersionNotFound", watchedBy: [] },
      ],
    }),
    "claim: nests2 of InfrastructureProvider nests claims a,b and does not watch it (NamespaceClash): a is nests1's\n" +
      "claim: nests3 of InfrastructureProvider nests claims a,b and does not watch it (VersionNotFound)\n",
  );
});

test("where all is well, nothing is below the table", () => assert.equal(below({}), ""));
