import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Provider } from "@rookery/api";
import { isInvalid } from "@rookery/kube";
import { type AdmissionContext, silentLogger } from "@rookery/runtime";
import { providerValidator } from "./provider.ts";

type Spec = NonNullable<Provider["spec"]>;

function provider(spec: object, name = "aws"): Provider {
  return {
    apiVersion: "management.cluster.x-k8s.io/v1alpha1",
    kind: "InfrastructureProvider",
    metadata: { namespace: "capa-system", name },
    spec: spec as Spec,
  };
}

/** What a webhook says of an object that is written, and of its change where there was one before. */
async function judge(object: Provider, before?: Provider): Promise<readonly string[]> {
  const warnings: string[] = [];
  const context: AdmissionContext = {
    request: {
      uid: "u",
      kind: { group: "", version: "", kind: "" },
      resource: { group: "", version: "", resource: "" },
      operation: before ? "UPDATE" : "CREATE",
      namespace: "capa-system",
      userInfo: {},
    },
    signal: new AbortController().signal,
    logger: silentLogger,
    warn: (text) => warnings.push(text),
  };
  if (before) await providerValidator.update?.(object, before, context);
  else await providerValidator.create?.(object, context);
  return warnings;
}

const manager = (changes: object) => ({
  deployment: { containers: [{ name: "manager", ...changes }] },
});
const election = (leaderElection: object) => ({ manager: { leaderElection } });

const accepted: Readonly<Record<string, object>> = {
  "an empty spec": {},
  "an image as a string": manager({ image: "gcr.io/myregistry/capa-controller:v0.6.0-foo" }),
  "an image with a port and a digest": manager({
    image: `localhost:5000/a/b@sha256:${"a".repeat(64)}`,
  }),
  "parts of an image": manager({ image: { repository: "registry.example.com/team/", tag: "v1" } }),
  "numbers and booleans as arguments": manager({
    args: { "awscluster-concurrency": 12, debug: true, v: "4" },
  }),
  "periods that fit": election({ leaseDuration: "15s", renewDeadline: "10s", retryPeriod: "2s" }),
  "a GitHub URL": { fetchConfig: { url: "https://github.com/a/b/releases" } },
  "an OCI URL": { fetchConfig: { url: "oci://registry.example.com/team/aws" } },
  "a selector": { fetchConfig: { selector: { matchLabels: { provider: "aws" } } } },
};

describe("a provider is taken with", () => {
  for (const [what, spec] of Object.entries(accepted)) {
    it(what, async () => {
      assert.deepEqual(await judge(provider(spec)), []);
    });
  }
});

const path = "spec.deployment.containers[0]";
const refused: Readonly<Record<string, readonly [spec: object, message: string]>> = {
  "a patch for nobody": [
    { patches: [{ patch: "[]" }] },
    "spec.patches[0]: Invalid value: a list of operations (JSON 6902) needs a target",
  ],
  "text that is no image": [
    manager({ image: "not an image" }),
    `${path}.image: Invalid value: "not an image": must be an image, such as`,
  ],
  "a number as an image": [
    manager({ image: 7 }),
    `${path}.image: Invalid value: 7: must be a string, or an object`,
  ],
  "a list as an image": [manager({ image: [] }), `${path}.image: Invalid value`],
  "an unknown part of an image": [
    manager({ image: { digest: "x" } }),
    `${path}.image.digest: Invalid value: "x": must be one of repository, name, tag`,
  ],
  "a tag that is none": [
    manager({ image: { tag: "v1 beta" } }),
    `${path}.image.tag: Invalid value: "v1 beta": must be the tag of an image`,
  ],
  "a tag that is a number": [
    manager({ image: { tag: 1 } }),
    `${path}.image.tag: Invalid value: 1: must be a string`,
  ],
  "a repository with a scheme": [
    manager({ image: { repository: "https://registry.example" } }),
    `${path}.image.repository: Invalid value`,
  ],
  "a list as an argument": [
    manager({ args: { "feature-gates": ["A"] } }),
    `${path}.args[feature-gates]: Invalid value`,
  ],
  "an argument without a value": [
    manager({ args: { v: null } }),
    "must be a string, a number or a boolean",
  ],
  "an argument with its dashes": [
    manager({ args: { "--v": 4 } }),
    `${path}.args: Invalid value: "--v"`,
  ],
  "a period that is longer than Go can tell": [
    { manager: { syncPeriod: "99999999h" } },
    'spec.manager.syncPeriod: Invalid value: "99999999h": must be a duration',
  ],
  "a renewal that is later than the lease's end": [
    election({ leaseDuration: "10s", renewDeadline: "10s" }),
    'spec.manager.leaderElection.renewDeadline: Invalid value: "10s": must be less than leaseDuration',
  ],
  "a retry that comes too late for the renewal": [
    election({ renewDeadline: "12s", retryPeriod: "10s" }),
    "must be more than 1.2 times retryPeriod",
  ],
  "a feature gate with its value": [
    { manager: { featureGates: { "A=true,B": true } } },
    'spec.manager.featureGates: Invalid value: "A=true,B"',
  ],
  "a Secret of another namespace": [
    { secretName: "elsewhere/aws" },
    "it names a Secret in the provider's own namespace capa-system",
  ],
  "a URL that leads to no releases": [
    { fetchConfig: { url: "https://github.com/a/b" } },
    "spec.fetchConfig.url: Invalid value: could not fetch https://github.com/a/b: a GitHub URL is",
  ],
  "a selector that cannot be": [
    { fetchConfig: { selector: { matchExpressions: [{ key: "a b", operator: "Exists" }] } } },
    "spec.fetchConfig.selector.matchExpressions[0].key: Invalid value",
  ],
  "a node selector that cannot be": [
    { deployment: { nodeSelector: { "a b": "c" } } },
    'spec.deployment.nodeSelector: Invalid value: "a b"',
  ],
};

describe("a provider is refused with", () => {
  for (const [what, [spec, message]] of Object.entries(refused)) {
    it(what, async () => {
      const error = await judge(provider(spec)).then(
        () => assert.fail("it was taken"),
        (error: Error) => error,
      );
      assert.ok(isInvalid(error), String(error));
      assert.ok(error.message.includes(message), error.message);
    });
  }

  it("a name that no label can hold", async () => {
    await assert.rejects(judge(provider({}, "a".repeat(60))), /metadata\.name: Invalid value/);
  });

  it("all that is wrong at once", async () => {
    const spec = { ...manager({ image: "A", args: { "-v": 1 } }), secretName: "A" };
    await assert.rejects(judge(provider(spec)), /secretName.*image.*args/);
  });

  it("no word of a password in a URL", async () => {
    const url = "https://user:hunter2@github.com/a/b/releases";
    await assert.rejects(judge(provider({ fetchConfig: { url } })), (error: Error) => {
      assert.doesNotMatch(error.message, /hunter2/);
      return true;
    });
  });
});

describe("a change is taken", () => {
  const bad = provider(manager({ image: "not an image" }));
  it("that leaves the spec as it was", async () => {
    const held = { ...bad, metadata: { ...bad.metadata, finalizers: ["x/y"] } };
    assert.deepEqual(await judge(held, bad), []);
  });
  it("of what is being deleted", async () => {
    const metadata = { ...bad.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" };
    assert.deepEqual(await judge({ ...bad, metadata }, provider({})), []);
  });
  it("of the API groups only before it is installed", async () => {
    const suffixed = provider({ apiGroupSuffix: "team.example.com" });
    assert.deepEqual(await judge(suffixed, provider({})), []);
    const installed = { ...provider({}), status: { installedVersion: "v1.0.0" } };
    const message = /spec\.apiGroupSuffix: Forbidden: cannot be changed while .* make it anew/;
    await assert.rejects(judge(suffixed, installed), message);
    await assert.rejects(judge(provider({}), { ...suffixed, status: installed.status }), message);
  });
  it("only where it is right", async () => {
    await assert.rejects(judge(bad, provider({})), isInvalid);
  });
});

const warned: Readonly<
  Record<string, readonly [after: Provider, warning: RegExp, before?: Provider]>
> = {
  "a namespace for the cache": [
    provider({ manager: { cacheNamespace: "a" } }),
    /^spec\.manager\.cacheNamespace is ignored: a provider watches all namespaces, or those of spec.watch$/,
  ],
  "the argument namespace": [
    provider(manager({ args: { namespace: "a" } })),
    /^spec\.deployment\.containers\[manager\]\.args\.namespace is ignored/,
  ],
  "the argument excluded-namespace": [
    provider(manager({ args: { "excluded-namespace": "a" } })),
    /args\.excluded-namespace is ignored/,
  ],
  "feature gates in both places": [
    provider({
      manager: { featureGates: { A: true } },
      ...manager({ args: { "feature-gates": "A=false" } }),
    }),
    /args\.feature-gates is ignored: spec\.manager\.featureGates is set/,
  ],
  "a provider that nobody knows, without a source": [
    provider({}, "unheard-of"),
    /^no InfrastructureProvider called unheard-of is known/,
  ],
  "a source that changes alone": [
    provider({ version: "v1.0.0", fetchConfig: { url: "https://github.com/a/c/releases" } }),
    /^spec\.fetchConfig alone changes nothing/,
    provider({ version: "v1.0.0", fetchConfig: { url: "https://github.com/a/b/releases" } }),
  ],
  "a change while it is paused": [
    provider({ paused: true, version: "v1.1.0", manager: { verbosity: 4 } }),
    /only spec\.version is acted on/,
    provider({ paused: true, version: "v1.0.0" }),
  ],
};

describe("who writes a provider is told of", () => {
  for (const [what, [after, warning, before]] of Object.entries(warned)) {
    it(what, async () => {
      const warnings = await judge(after, before);
      assert.equal(warnings.length, 1, warnings.join("; "));
      assert.match(warnings[0] ?? "", warning);
    });
  }

  it("nothing where a version changes while it is paused", async () => {
    const change = judge(
      provider({ paused: true, version: "v1.1.0" }),
      provider({ version: "v1.0.0" }),
    );
    assert.deepEqual(await change, []);
  });
});
