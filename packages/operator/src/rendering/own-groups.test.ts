import assert from "node:assert/strict";
import { test } from "node:test";
import { type Component, parseComponents } from "@rookery/components";
import { PhaseError } from "../errors.ts";
import { type OwnGroups, withOwnGroups } from "./own-groups.ts";

const crd = (group: string) => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: nests.${group}, labels: {cluster.x-k8s.io/provider: infrastructure-nests}}
spec: {group: ${group}, scope: Namespaced, names: {kind: Nest, plural: nests}}
`;
const role = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: manager}
rules: [{apiGroups: [cluster.x-k8s.io], resources: [clusters], verbs: [get]}]
`;
const own: OwnGroups = {
  suffix: "team1.example.com",
  namespace: "team1",
  withCore: false,
  image: "example.com/rookery:v1",
  label: "infrastructure-nests.team1.example.com",
  served: [],
};
const render = async (text: string, change: Partial<OwnGroups> = {}): Promise<Component[]> => [
  ...(await withOwnGroups(parseComponents(text), { ...own, ...change })).components,
];
const groupOf = ([found]: readonly Component[]) => Object(found?.spec).group;

const groups: Readonly<Record<string, readonly [string, boolean, string]>> = {
  "a group of Cluster API keeps its first part": [
    "infrastructure.cluster.x-k8s.io",
    false,
    "infrastructure.team1.example.com",
  ],
  "so it does beside a core of the same suffix": [
    "infrastructure.cluster.x-k8s.io",
    true,
    "infrastructure.team1.example.com",
  ],
  "the group of the core becomes the suffix itself": [
    "cluster.x-k8s.io",
    true,
    "team1.example.com",
  ],
  "any other group keeps its first part": ["eggs.example.org", false, "eggs.team1.example.com"],
};
for (const [name, [group, withCore, expected]] of Object.entries(groups)) {
  test(name, async () => assert.equal(groupOf(await render(crd(group), { withCore })), expected));
}

test("what is not the provider's own stays as it is, unless the core has the same suffix", async () => {
  const text = `${crd("infrastructure.cluster.x-k8s.io")}---${role}`;
  const apiGroups = async (withCore: boolean) => {
    const [, found] = await render(text, { withCore });
    return (found as { rules?: { apiGroups: string[] }[] }).rules?.[0]?.apiGroups;
  };
  assert.deepEqual(await apiGroups(false), ["cluster.x-k8s.io"]);
  assert.deepEqual(await apiGroups(true), ["team1.example.com"]);
});

test("all of it carries the label of the instance, and cluster-wide names are its own", async () => {
  const found = await render(`${crd("infrastructure.cluster.x-k8s.io")}---${role}`);
  const labels = found.map(({ metadata }) => metadata.labels?.["cluster.x-k8s.io/provider"]);
  assert.deepEqual(labels, [own.label, own.label]);
  assert.equal(found[1]?.metadata.name, "manager-team1-example-com");
});

test("two groups that would become one, and an operator without an image, are refused", async () => {
  const both = `${crd("eggs.example.org")}---${crd("eggs.example.net")}`;
  for (const refused of [
    () => render(both),
    () => render(crd("eggs.example.org"), { image: undefined }),
  ]) {
    await assert.rejects(
      refused,
      (error) => error instanceof PhaseError && error.reason === "SuffixNotPossible",
    );
  }
});

const deployment = (flag = "") => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: nests, namespace: team1${flag && `, annotations: {management.cluster.x-k8s.io/group-flag: ${flag}}`}}
spec: {template: {spec: {containers: [{name: manager, image: a, args: [manager]}]}}}
`;

test("a manager that can rename its groups itself is told how, and has no proxy", async () => {
  const containers = async (flag?: string, change?: Partial<OwnGroups>) => {
    const text = `${deployment(flag)}---${crd("infrastructure.cluster.x-k8s.io")}`;
    const [found] = await render(text, change);
    const { template } = Object(found?.spec);
    return [template.spec.initContainers?.length ?? 0, template.spec.containers[0].args];
  };
  const flag = "api-group-suffix";
  const told = ["manager", "--api-group-suffix=team1.example.com"];
  assert.deepEqual(await containers(flag), [0, told]);
  assert.deepEqual(await containers(), [1, ["manager"]]);
  // The flag is not about the group of the core itself.
  assert.deepEqual(await containers(flag, { withCore: true }), [1, ["manager"]]);
});
