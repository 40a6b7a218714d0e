import assert from "node:assert/strict";
import { test } from "node:test";
import { ProvidersError } from "../errors.ts";
import type { Watch } from "./instance-flags.ts";
import { type MeantInstance, missingAmong } from "./missing-among.ts";
import type { PresentProvider } from "./present-providers.ts";

const aws = { kind: "InfrastructureProvider", name: "aws" } as const;

function present(
  namespace: string,
  spec: { watch?: Watch; apiGroupSuffix?: string },
): PresentProvider {
  const version = "v1.0.0";
  const metadata = { name: aws.name, namespace };
  const apiVersion = "management.cluster.x-k8s.io/v1alpha1" as const;
  const provider = { apiVersion, kind: aws.kind, metadata, spec: { version, ...spec } };
  return { ...aws, namespace, version, provider };
}

const problemOf = (there: readonly PresentProvider[], meant: MeantInstance, version?: string) => {
  try {
    missingAmong([{ ...aws, ...(version && { version }) }], there, meant);
    return "none";
  } catch (error) {
    if (!(error instanceof ProvidersError)) throw error;
    return error.message;
  }
};

const rest: Watch = { rest: true };
const team: Watch = { namespaces: ["team"] };

test("what is there is not missing, wherever it is, unless a place is named", () => {
  assert.deepEqual(missingAmong([aws], [present("one", {})]), []);
  assert.deepEqual(missingAmong([aws], [present("one", {})], { namespace: "one" }), []);
});

test("a further instance has the version of the others, and their releases", () => {
  const one = present("one", { watch: rest });
  assert.deepEqual(missingAmong([aws], [one], { namespace: "two", watch: team }), [
    { ...aws, version: "v1.0.0", like: one.provider },
  ]);
});

test("a further instance has to say what it watches", () => {
  assert.match(
    problemOf([present("one", { watch: rest })], { namespace: "two" }),
    /aws is there, in namespace one; for a further instance in two say .* --watch-namespace or --watch-rest/,
  );
});

test("one that watches everything has to be narrowed first", () => {
  assert.match(
    problemOf([present("one", {})], { namespace: "two", watch: team }),
    /InfrastructureProvider one\/aws watches all .* kubectl patch -n one infrastructureprovider\/aws --type=merge -p '\{"spec":\{"watch":\{"rest":true\}\}\}'/,
  );
  const { provider: _, ...clusterctls } = present("one", {});
  assert.match(
    problemOf([clusterctls], { namespace: "two", watch: team }),
    /one\/aws watches all .* clusterctl's still/,
  );
});

test("what is there keeps its version, and what it watches", () => {
  const there = [present("one", { watch: rest })];
  assert.match(
    problemOf(there, { namespace: "two", watch: team }, "v2.0.0"),
    /is there in v1\.0\.0/,
  );
  assert.match(
    problemOf(there, { namespace: "one", watch: team }),
    /one\/aws is there and watches something else; .*"rest":null/,
  );
  assert.equal(problemOf(there, { namespace: "one", watch: rest }), "none");
});

test("one with API groups of its own is another provider", () => {
  const there = [present("one", { apiGroupSuffix: "team.example.com" })];
  assert.deepEqual(missingAmong([aws], there, { namespace: "two" }), [aws]);
});
