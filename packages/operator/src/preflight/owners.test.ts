import assert from "node:assert/strict";
import { test } from "node:test";
import { type Component, componentKeyOf } from "@rookery/components";
import type { PartialObjectMetadata } from "@rookery/kube";
import { checkOwners } from "./owners.ts";

const provider = "cluster.x-k8s.io/provider";

function crd(name: string, owner?: string): Component {
  const labels = owner === undefined ? {} : { labels: { [provider]: owner } };
  const metadata = { name, ...labels };
  return { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", metadata };
}

const namespace = (owner: string): Component => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: "shared", labels: { [provider]: owner } },
});

function check(
  present: readonly Component[],
  owned: readonly Component[] = [],
  wanted: readonly Component[] = present,
): Promise<unknown> {
  const getMetadata = async ({
    name,
  }: {
    readonly name: string;
  }): Promise<PartialObjectMetadata | undefined> =>
    present.find(({ metadata }) => metadata.name === name);
  return checkOwners(wanted, {
    getMetadata,
    label: "infrastructure-aws",
    owned: owned.map(componentKeyOf),
  });
}

test("what is not there yet is nobody's", async () => {
  await check([], [], [crd("a")]);
});

test("what carries the provider's own label is taken over", async () => {
  await check([crd("a", "infrastructure-aws")]);
});

test("what is recorded as the provider's stays it, whatever its labels", async () => {
  await check([crd("a")], [crd("a")]);
});

test("a namespace may be shared with other providers", async () => {
  await check([namespace("cluster-api")]);
});

test("a CRD of another provider is refused, and the owner is named", async () => {
  await assert.rejects(check([crd("a", "infrastructure-azure")]), {
    condition: "ProviderInstalled",
    reason: "ObjectOwnedByOther",
    message:
      /CustomResourceDefinition a belongs to the provider infrastructure-azure; .* labelling it cluster\.x-k8s\.io\/provider=infrastructure-aws$/,
  });
});

test("what was made by hand is refused", async () => {
  await assert.rejects(check([crd("a")]), {
    message: /a exists already and belongs to no provider/,
  });
});

test("of many objects the first few are named, with the count of the others", async () => {
  const many = Array.from({ length: 8 }, (_, index) => crd(`crd-${index}`));
  await assert.rejects(check(many), { message: /crd-4 exists .* and 3 more; delete/ });
});
