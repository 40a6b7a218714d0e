import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { validateApiGroupSuffix } from "@rookery/kube";
import fc from "fast-check";
import { InvalidMappingError } from "../errors.ts";
import { mappingFromFlags, replace, unreplace } from "./flags.ts";
import { createGroupMapping } from "./group-mapping.ts";

const label = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,5}[a-z0-9])?$/);
const domain = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join("."));
const prefix = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => labels.join("."));

describe("replace", () => {
  const rows: Record<string, [group: string, suffix: string, expected: string | undefined]> = {
    "replaces the suffix after a dot": ["a.pinniped.dev", "team1.com", "a.team1.com"],
    "replaces only the last occurrence": [
      "pinniped.dev.pinniped.dev",
      "team1.com",
      "pinniped.dev.team1.com",
    ],
    "leaves the bare suffix": ["pinniped.dev", "team1.com", undefined],
    "leaves a name that only ends alike": ["x.prefixed-pinniped.dev", "team1.com", undefined],
    "leaves a foreign group": ["apps", "team1.com", undefined],
    "leaves what stands before more": ["pinniped.dev.other.com", "team1.com", undefined],
  };
  for (const [name, [group, suffix, expected]] of Object.entries(rows)) {
    it(name, () => assert.equal(replace(group, suffix), expected));
  }

  it("is undone by unreplace", () => {
    fc.assert(
      fc.property(prefix, domain, domain, (start, suffix, virtual) => {
        const group = `${start}.${virtual}`;
        const replaced = replace(group, suffix, virtual);
        assert.equal(replaced, `${start}.${suffix}`);
        assert.equal(unreplace(replaced ?? "", suffix, virtual), group);
      }),
    );
  });
});

describe("validateApiGroupSuffix", () => {
  const subdomain = /must consist of lower case alphanumeric characters/;
  const rows: Record<string, [suffix: string, problems: readonly RegExp[]]> = {
    "takes a domain": ["team1.example.com", []],
    "wants a dot": ["nodot", [/must contain '\.'/]],
    "refuses a leading dot": [".starts.with.dot", [subdomain]],
    "refuses a trailing dot": ["ends.with.dot.", [subdomain]],
    "refuses upper case": ["Team1.com", [subdomain]],
    "refuses what is longer than 253": [`${"a".repeat(252)}.b`, [/no more than 253/]],
    "names several problems at once": [
      `A${"a".repeat(253)}`,
      [/must contain '\.'/, /no more than 253/, subdomain],
    ],
    "names what an empty one lacks": ["", [/must contain '\.'/, subdomain]],
  };
  for (const [name, [suffix, problems]] of Object.entries(rows)) {
    it(name, () => {
      const found = validateApiGroupSuffix(suffix);
      assert.equal(found.length, problems.length, found.join("\n"));
      for (const [i, problem] of problems.entries()) assert.match(found[i] ?? "", problem);
    });
  }
});

describe("a mapping", () => {
  const two = createGroupMapping([
    { virtual: "pinniped.dev", real: "team1.example.com" },
    { virtual: "argoproj.io", real: "argo.team1.org", match: "group" },
    { virtual: "cert.io", real: "cert.team1.org", match: "both" },
  ]);

  it("swaps names in both directions", () => {
    assert.equal(two.swap("a.pinniped.dev"), "a.team1.example.com");
    assert.equal(two.swap("a.team1.example.com"), "a.pinniped.dev");
    assert.equal(two.swap("argoproj.io"), "argo.team1.org");
    assert.equal(two.swap("argo.team1.org"), "argoproj.io");
    assert.equal(two.swap("x.cert.io"), "x.cert.team1.org");
    assert.equal(two.swap("cert.team1.org"), "cert.io");
  });

  it("leaves other names as they are", () => {
    const others = ["", "apps", "pinniped.dev", "team1.example.com", "x.argoproj.io", "xcert.io"];
    for (const group of others) assert.equal(two.swap(group), group);
  });

  it("tells virtual groups from real ones", () => {
    assert.equal(two.toReal("a.pinniped.dev"), "a.team1.example.com");
    assert.equal(two.toReal("a.team1.example.com"), undefined);
    assert.equal(two.isReal("a.team1.example.com"), true);
    assert.equal(two.isReal("a.pinniped.dev"), false);
    assert.equal(two.isReal("apps"), false);
  });

  it("is its own inverse, whatever is mapped and asked", () => {
    const match = fc.constantFrom("suffix", "group", "both");
    const pair = fc.record({ virtual: domain, real: domain, match });
    const pairs = fc.array(pair, { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(pairs, prefix, (drawn, start) => {
        const mapping = mappingOrUndefined(drawn);
        fc.pre(mapping !== undefined);
        const names = drawn.flatMap(({ virtual, real }) => [virtual, real]);
        const groups = [start, ...names, ...names.map((name) => `${start}.${name}`)];
        for (const group of groups) assert.equal(mapping.swap(mapping.swap(group)), group);
        assert.equal(new Set(groups.map(mapping.swap)).size, new Set(groups).size);
      }),
    );
  });

  it("maps nothing where both names are one", () => {
    const mapping = createGroupMapping([{ virtual: "pinniped.dev", real: "pinniped.dev" }]);
    assert.deepEqual(mapping.pairs, []);
    assert.equal(mapping.swap("a.pinniped.dev"), "a.pinniped.dev");
  });

  const refused: Record<string, [flags: Parameters<typeof mappingFromFlags>[0], RegExp[]]> = {
    "two virtual names for one real": [{ map: ["a.io=c.io", "b.io=c.io"] }, [/"c.io" is mapped/]],
    "two real names for one virtual": [{ map: ["a.io=b.io", "a.io=c.io"] }, [/"a.io" is mapped/]],
    "a chain": [{ map: ["a.io=b.io", "b.io=c.io"] }, [/"b.io" is mapped more than once/]],
    "a suffix that ends with another": [
      { apiGroupSuffix: "team1.pinniped.dev" },
      [/"pinniped.dev" and "team1.pinniped.dev" overlap/],
    ],
    "a group that another pair's suffix matches": [
      { map: ["*.a.io=*.b.io", "x.a.io=c.io"] },
      [/"a.io" and "x.a.io" overlap/],
    ],
    "what belongs to Kubernetes": [{ map: ["*.k8s.io=*.b.io"] }, [/belongs to Kubernetes/]],
    "text that is no mapping": [{ map: ["a.io", "*.a.io=b.io"] }, [/"a.io" is no/, /"\*\.a.io=b/]],
    "all problems at once": [
      { apiGroupSuffix: "NoDot", map: ["a.io=c.io", "b.io=c.io"] },
      [/"NoDot" must contain/, /"NoDot" a lowercase/, /"c.io" is mapped/],
    ],
  };
  for (const [name, [flags, problems]] of Object.entries(refused)) {
    it(`refuses ${name}`, () => {
      assert.throws(
        () => mappingFromFlags(flags),
        (error) => {
          assert.ok(error instanceof InvalidMappingError);
          assert.equal(error.problems.length, problems.length, error.message);
          for (const [i, problem] of problems.entries()) {
            assert.match(error.problems[i] ?? "", problem);
          }
          return true;
        },
      );
    });
  }

  it("takes a group and its own name as a suffix for different pairs", () => {
    const mapping = mappingFromFlags({ map: ["a.io=b.io", "*.a.io=*.c.io"] });
    assert.equal(mapping.swap("a.io"), "b.io");
    assert.equal(mapping.swap("x.a.io"), "x.c.io");
  });
});

describe("flags", () => {
  it("map nothing where the suffix is empty, absent or the default", () => {
    for (const flags of [{}, { apiGroupSuffix: "" }, { apiGroupSuffix: "pinniped.dev" }]) {
      assert.deepEqual(mappingFromFlags(flags).pairs, []);
    }
  });

  it("map the app's own suffix", () => {
    const mapping = mappingFromFlags({ apiGroupSuffix: "t1.org", virtualSuffix: "x-k8s.io" });
    assert.equal(mapping.toReal("cluster.x-k8s.io"), "cluster.t1.org");
  });
});

function mappingOrUndefined(pairs: Parameters<typeof createGroupMapping>[0]) {
  try {
    return createGroupMapping(pairs);
  } catch {
    return undefined;
  }
}
