import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createClientOver } from "@rookery/client";
import { parseComponents } from "@rookery/components";
import { instance } from "../../test/instances/family.ts";
import {
  inNamespace,
  installed,
  madeAt,
  view,
  withSpec,
} from "../../test/preflight/provider-views.ts";
import { everyNamespace, only } from "../identity/namespace-set.ts";
import type { InstallState, InstanceLayout } from "../state/install-state.ts";
import type { ProviderView } from "../state/provider-view.ts";
import { desiredLayout } from "./desired-layout.ts";
import { familyOf } from "./family.ts";
import { renderedComponents } from "./rendered.ts";

const stock = { version: "v1.13.6" };
const ours = { version: "v0.1.0", scopeFlags: "repeated" } as const;
const one = { namespaces: ["a"] };
const two = { namespaces: ["a", "b"] };

/** An instance that has what it claims asks nobody, but whether namespaces are there. */
const client = createClientOver(async ({ path, query }) => {
  if (path !== "/api/v1/namespaces") throw new Error("nobody was to be asked");
  const name = /metadata.name=(.+)/.exec(
    new URLSearchParams(query).get("fieldSelector") ?? "",
  )?.[1];
  const items = name === "missing" ? [] : [{ metadata: { name } }];
  const body = Buffer.from(JSON.stringify({ kind: "NamespaceList", metadata: {}, items }));
  return { status: 200, headers: { "content-type": "application/json" }, body };
});

async function layoutOf(
  self: ProviderView,
  {
    others = [],
    reference = stock,
    before,
  }: {
    readonly others?: readonly ProviderView[];
    readonly reference?: typeof stock | typeof ours;
    readonly before?: Partial<InstanceLayout>;
  } = {},
): Promise<InstanceLayout> {
  const all = { type: "all" } as const;
  const layout: InstanceLayout = {
    scope: all,
    by: "flag",
    first: false,
    admits: all,
    rbac: "Cluster",
    accounts: [],
    ...before,
  };
  const state: InstallState = { owned: [], phase: "Stable", layout };
  const scope = { client, signal: AbortSignal.timeout(1000), record: { state } };
  return (await desiredLayout(familyOf(self, others), reference, scope)).layout;
}

describe("what narrows an instance", () => {
  const rows: Readonly<Record<string, [ProviderView, typeof stock | typeof ours, string]>> = {
    "flags, where the manager takes any": [instance("capi1", two), ours, "flag"],
    "flags, also for what is excluded": [
      instance("capi1", { excludedNamespaces: ["a"] }),
      ours,
      "flag",
    ],
    "the one flag of a stock manager, for one namespace": [instance("capi1", one), stock, "flag"],
    "a proxy, for several namespaces of a stock manager": [
      instance("capi1", { ...two, rbac: "Cluster" }),
      stock,
      "proxy",
    ],
    "a proxy, for what a stock manager is not to see": [
      instance("capi1", { excludedNamespaces: ["a"] }),
      stock,
      "proxy",
    ],
    "nothing, for all namespaces": [instance("capi1", { rest: true }), stock, "flag"],
  };
  for (const [what, [self, reference, by]] of Object.entries(rows)) {
    it(`is ${what}`, async () => assert.equal((await layoutOf(self, { reference })).by, by));
  }
});

describe("rights in namespaces alone", () => {
  const finer = (namespaces: string[]) =>
    withSpec({ watch: { namespaces, rbac: "Namespaced" } })(instance("capi1-system", one));

  it("are possible with flags for any namespaces, and with one of a stock manager", async () => {
    assert.equal((await layoutOf(finer(["a", "b"]), { reference: ours })).rbac, "Namespaced");
    assert.equal((await layoutOf(finer(["a"]))).rbac, "Namespaced");
  });

  it("are refused behind a proxy, which lists the whole cluster", async () => {
    await assert.rejects(layoutOf(finer(["a", "b"])), { reason: "RbacNotPossible" });
  });

  it("take an account out of the binding that the first has for all", async () => {
    const others = [instance("capi2-system", { rest: true })];
    const { accounts } = await layoutOf(finer(["a"]), { others });
    assert.deepEqual(accounts, ["capi2-system"]);
  });

  it("are what a new instance has that names its namespaces", async () => {
    const { rbac } = await layoutOf(instance("capi1-system", one));
    assert.equal(rbac, "Namespaced");
  });

  it("are never widened where they are not possible: the message has both ways out", async () => {
    const behindProxy = layoutOf(instance("capi1-system", two));
    const both = /name one namespace alone, or set spec.watch.rbac to Cluster/;
    await assert.rejects(behindProxy, { reason: "RbacNotPossible", message: both });
    const away = layoutOf(instance("capi1-system", { namespaces: ["missing"] }));
    await assert.rejects(away, { reason: "RbacNotPossible", message: /missing is not; make it/ });
  });

  it("leave an account as it is whose record cannot be vouched for", async () => {
    const others = ["capi2-system", "capi3-system"].map((namespace) =>
      instance(namespace, { namespaces: [namespace] }, installed("v1.13.6")),
    );
    const before = { accounts: ["capi1-system", "capi2-system"] };
    const self = instance("capi1-system", { rest: true }, installed("v1.13.6"));
    const { accounts } = await layoutOf(self, { others, before });
    assert.deepEqual(accounts, ["capi1-system", "capi2-system"]);
  });

  it("do not bind an account of which no record says that it has more", async () => {
    const kept: ProviderView = { ...instance("capi3-system", one), rights: "Cluster" };
    const others = [instance("capi2-system", { namespaces: ["b"] }), kept];
    const { accounts } = await layoutOf(instance("capi1-system", { rest: true }), { others });
    assert.deepEqual(accounts, ["capi1-system", "capi3-system"]);
  });
});

describe("credentials", () => {
  const watch = { namespaces: ["a"] };
  const vsphere = (namespace: string, day: string) =>
    view(
      "InfrastructureProvider",
      "vsphere",
      ...[...[inNamespace(namespace), madeAt(`2026-01-${day}T00:00:00Z`), withSpec({ watch })]],
    );
  const [one, two] = [vsphere("capv1-system", "01"), vsphere("capv2-system", "02")];

  const before = {
    scope: { type: "namespaces", namespaces: ["a"] },
    credentials: "capv1-system",
  } as const;

  it("are looked for where all instances looked, by one from then", async () => {
    const options = { others: [one], reference: ours, before };
    assert.equal((await layoutOf(two, options)).credentials, "capv1-system");
    const { credentials, ...rest } = before;
    assert.ok(!("credentials" in (await layoutOf(two, { ...options, before: rest }))), credentials);
  });

  it("are nothing that other managers are told of", async () => {
    assert.ok(!("credentials" in (await layoutOf(instance("capi1", { namespaces: ["a"] })))));
  });

  it("are told by the flag", async () => {
    const components = parseComponents(`
apiVersion: apps/v1
kind: Deployment
metadata: {name: capv, namespace: capv2-system}
spec: {template: {spec: {containers: [{name: manager, args: [--credentials-namespace=elsewhere]}]}}}
`);
    const layout = await layoutOf(two, { others: [one], reference: ours, before });
    const scope = { provider: two.provider, image: undefined };
    const reference = { ...ours, id: "", contract: "", intent: "" };
    const laid = await renderedComponents(scope, { reference, components }, layout);
    const text = JSON.stringify(laid);
    assert.match(text, /"--credentials-namespace=capv1-system"/);
    assert.doesNotMatch(text, /elsewhere/);
  });
});

describe("admission", () => {
  const self = instance("capi2-system", { ...two, rbac: "Cluster" });
  const first = (admits?: ProviderView["admits"]): ProviderView => ({
    ...instance("capi1-system", { rest: true }),
    ...(admits && { admits }),
  });
  const before = { admits: { type: "namespaces", namespaces: ["a", "b", "c"] } } as const;
  const names = (namespaces: readonly string[]) => ({ type: "namespaces", namespaces });

  it("is kept until somebody else surely has it", async () => {
    const { admits } = await layoutOf(self, { others: [first()], before });
    assert.deepEqual(admits, names(["a", "b", "c"]));
  });

  it("is let go of when somebody else surely has it", async () => {
    const { admits } = await layoutOf(self, { others: [first(only(["c"]))], before });
    assert.deepEqual(admits, names(["a", "b"]));
  });

  it("is never let go of where it is the instance's own", async () => {
    const { admits } = await layoutOf(self, { others: [first(everyNamespace)], before });
    assert.deepEqual(admits, names(["a", "b"]));
  });
});
