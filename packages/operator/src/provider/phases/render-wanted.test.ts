import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Provider } from "@rookery/api";
import type { ProviderFiles } from "@rookery/components";
import { FakeClock } from "@rookery/testing";
import { installed, notReady, view, withSpec } from "../../../test/preflight/provider-views.ts";
import { smallProvider } from "../../../test/small-provider.ts";
import { PhaseError, preflightError } from "../../errors.ts";
import { PrerenderedReleases } from "../../rendering/prerendered.ts";
import type { Release } from "../../state/install-state.ts";
import type { ProviderScope } from "../scope.ts";
import { prepareRelease } from "./prepare-release.ts";
import { type Rendered, renderAhead, renderWanted } from "./render-wanted.ts";

const version = "v1.0.0";
const notReadyYet = preflightError("CoreProviderNotReady", "its core is not ready");

function filesWith(argument: string): ProviderFiles {
  const metadata =
    "apiVersion: clusterctl.cluster.x-k8s.io/v1alpha3\nkind: Metadata\n" +
    "releaseSeries: [{major: 1, minor: 0, contract: v1beta2}]\n";
  return { metadata, components: smallProvider({ name: "aws", args: [argument] }) };
}

/** A provider that waits for its core, with a source that counts how often it is asked. */
function waitingProvider(fetchConfig: NonNullable<Provider["spec"]>["fetchConfig"] = {}) {
  const clock = new FakeClock();
  const self = view("InfrastructureProvider", "aws", withSpec({ version, fetchConfig }));
  const others = [view("CoreProvider", "cluster-api", installed("v1.13.6"), notReady())];
  const world = { fetched: 0, files: filesWith("--level=$" + "{LEVEL}"), level: "1", isUp: true };
  const scope: Parameters<typeof renderWanted>[0] = {
    provider: self.provider,
    views: () => ({ self, others }),
    store: {} as Parameters<typeof renderWanted>[0]["store"],
    record: { state: { owned: [], phase: "Applying" } },
    readVariables: async () => ({
      lookup: (name) => (name === "LEVEL" ? world.level : undefined),
    }),
    openSource: () => ({
      latestVersion: async () => version,
      metadata: async () => world.files.metadata,
      fetch: async () => {
        world.fetched++;
        if (world.isUp) return world.files;
        throw new PhaseError("ProviderFetched", "SourceUnavailable", { message: "it is down" });
      },
    }),
    prerendered: new PrerenderedReleases<Rendered>(clock),
    imageOverrides: {},
    image: undefined,
    readManifests: async () => undefined,
    findKinds: async () => [],
    signal: new AbortController().signal,
  };
  const pass = async () => {
    await clock.advance(1000);
    // Rendering takes its time beside the clock.
    await new Promise((resolve) => setImmediate(resolve));
  };
  const wait = async (refused = notReadyYet) => {
    renderAhead(scope, version, refused);
    await pass();
  };
  const prepare = () => prepareRelease(scope as ProviderScope, version);
  return { world, wait, pass, prepare, render: () => renderWanted(scope, version) };
}

function argumentsOf({ components }: Release): string {
  return JSON.stringify(components.find(({ kind }) => kind === "Deployment")?.spec);
}

const published = { url: "https://github.com/example/aws/releases/latest/components.yaml" };
const inConfigMaps = { selector: { matchLabels: { provider: "aws" } } };

describe("while a core that comes up is waited for, a provider", () => {
  it("is fetched and rendered, so that nothing is fetched when it is there", async () => {
    const { world, wait, render } = waitingProvider(published);
    await wait();
    assert.equal(world.fetched, 1);
    world.isUp = false;
    assert.match(argumentsOf(await render()), /--level=1/);
    assert.equal(world.fetched, 1);
  });

  it("is begun by the very look that finds the core not ready", async () => {
    const { world, prepare, pass, render } = waitingProvider(published);
    await assert.rejects(prepare(), { reason: "CoreProviderNotReady" });
    await pass();
    assert.equal(world.fetched, 1);
    world.isUp = false;
    await render();
  });

  it("is rendered anew where a variable has changed since", async () => {
    const { world, wait, render } = waitingProvider(published);
    await wait();
    world.level = "2";
    assert.match(argumentsOf(await render()), /--level=2/);
    assert.equal(world.fetched, 1);
  });

  it("is rendered anew where its ConfigMap has changed since", async () => {
    const { world, wait, render } = waitingProvider(inConfigMaps);
    await wait();
    world.files = filesWith("--mended");
    assert.match(argumentsOf(await render()), /--mended/);
    assert.equal(world.fetched, 2);
  });

  it("that could not be fetched is fetched again, and the failure is told then", async () => {
    const { world, wait, render } = waitingProvider(published);
    world.isUp = false;
    await wait();
    await assert.rejects(render(), { reason: "SourceUnavailable" });
    world.isUp = true;
    assert.match(argumentsOf(await render()), /--level=1/);
  });
});

it("nothing is fetched for a provider that was refused for good", async () => {
  const { world, wait } = waitingProvider(published);
  await wait(preflightError("SecondInstance", "there is one already"));
  assert.equal(world.fetched, 0);
});
