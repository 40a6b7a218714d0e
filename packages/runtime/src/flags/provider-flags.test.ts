import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FlagsError } from "../errors.ts";
import { featureGatesFlag } from "./feature-gates.ts";
import { flagsHelp } from "./parse-flags.ts";
import { concurrencyFlag, parseProviderFlags, providerFlags } from "./provider-flags.ts";

const own = {
  "cluster-concurrency": concurrencyFlag("Cluster", 10),
  "feature-gates": featureGatesFlag({
    MachinePool: { default: true, stage: "Beta" },
    RuntimeSDK: { default: false, stage: "Alpha" },
  }),
};

function parse(...args: readonly string[]) {
  const parsed = parseProviderFlags(args, own);
  assert.ok(!parsed.help);
  return parsed;
}

function problemsOf(...args: readonly string[]): readonly string[] {
  try {
    parseProviderFlags(args, own);
    return [];
  } catch (error) {
    assert.ok(error instanceof FlagsError, String(error));
    return error.problems;
  }
}

describe("the flags of a provider", () => {
  it("have defaults, and a type of their own each", () => {
    const parsed = parse();
    assert.deepEqual(parsed, {
      help: false,
      kubeconfig: "",
      context: "",
      namespace: [],
      excludedNamespace: [],
      scope: { type: "all" },
      apiGroupSuffix: "",
      syncPeriod: 600_000,
      leaderElect: false,
      leaderElectLeaseDuration: 15_000,
      leaderElectRenewDeadline: 10_000,
      leaderElectRetryPeriod: 2_000,
      metricsBindAddress: { host: "", port: 8080 },
      healthAddr: { host: "", port: 9440 },
      profilerAddress: undefined,
      webhookPort: 9443,
      webhookCertDir: "",
      v: 0,
      clusterConcurrency: 10,
      featureGates: { MachinePool: true, RuntimeSDK: false },
    });
    // What the compiler knows of them.
    const [period, concurrency]: [number, number] = [parsed.syncPeriod, parsed.clusterConcurrency];
    const gate: boolean = parsed.featureGates.RuntimeSDK;
    assert.deepEqual([period, concurrency, gate], [600_000, 10, false]);
  });

  const rows: Record<string, [args: string[], expected: Partial<ReturnType<typeof parse>>]> = {
    "a value after an equals sign": [["--sync-period=1h30m"], { syncPeriod: 5_400_000 }],
    "a value as the next argument": [["--sync-period", "90s"], { syncPeriod: 90_000 }],
    "one dash is as good as two": [["-v=4", "-webhook-port", "1"], { v: 4, webhookPort: 1 }],
    "a switch by itself": [["--leader-elect", "--v=1"], { leaderElect: true, v: 1 }],
    "a switch that is off": [["--leader-elect=false"], { leaderElect: false }],
    "a switch in Go's letters": [["--leader-elect=T"], { leaderElect: true }],
    "the last one counts": [["--v=1", "--v=2"], { v: 2 }],
    "a server that is off": [["--metrics-bind-address=0"], { metricsBindAddress: undefined }],
    "a server on loopback": [
      ["--profiler-address=localhost:6060"],
      { profilerAddress: { host: "localhost", port: 6060 } },
    ],
    "a value with an equals sign in it": [["--context=a=b"], { context: "a=b" }],
    "a value that begins with a dash": [["--context", "-a"], { context: "-a" }],
    "an empty value": [["--kubeconfig="], { kubeconfig: "" }],
    "namespaces one by one and with commas": [
      ["--namespace=a,b", "--namespace", "c"],
      { scope: { type: "namespaces", namespaces: ["a", "b", "c"] } },
    ],
    "namespaces to leave out": [
      ["--excluded-namespace=a", "--excluded-namespace=b"],
      { scope: { type: "excluded", namespaces: ["a", "b"] } },
    ],
    "feature gates, more than once": [
      ["--feature-gates=MachinePool=false,RuntimeSDK=true", "--feature-gates=MachinePool=true"],
      { featureGates: { MachinePool: true, RuntimeSDK: true } },
    ],
    "no feature gate": [
      ["--feature-gates="],
      { featureGates: { MachinePool: true, RuntimeSDK: false } },
    ],
    "a provider's own": [["--cluster-concurrency=50"], { clusterConcurrency: 50 }],
  };
  for (const [name, [args, expected]] of Object.entries(rows)) {
    it(name, () => {
      const parsed: Record<string, unknown> = parse(...args);
      for (const [key, value] of Object.entries(expected)) assert.deepEqual(parsed[key], value);
    });
  }

  it("know of feature gates where a provider has none", () => {
    const parsed = parseProviderFlags(["--feature-gates="], {});
    assert.ok(!parsed.help);
    assert.deepEqual(parsed.featureGates, {});
    assert.throws(() => parseProviderFlags(["--feature-gates=A=true"], {}), {
      message: /--feature-gates=A=true: A is no feature gate; there are no feature gates/,
    });
  });

  it("give way to a wish for help", () => {
    assert.deepEqual(parseProviderFlags(["--nonsense", "--help"], own), { help: true });
    assert.deepEqual(parseProviderFlags(["-h"], own), { help: true });
  });
});

describe("what is wrong with a command line is said", () => {
  const rows: Record<string, [args: string[], ...problems: string[]]> = {
    "a flag that there is not": [
      ["--frobnicate=1"],
      "--frobnicate: there is no such flag; --help lists them all",
    ],
    "a flag that was misspelt, with its value": [
      ["--leader-elct-lease-duration", "15s"],
      "--leader-elct-lease-duration: there is no such flag; did you mean --leader-elect-lease-duration?",
    ],
    "a flag without its value": [
      ["--health-addr", "--leader-elect"],
      "--health-addr: it needs a value, as in --health-addr=address",
    ],
    "the last one without its value": [
      ["--sync-period"],
      "--sync-period: it needs a value, as in --sync-period=duration",
    ],
    "an argument that is no flag": [
      ["start"],
      '"start": flags begin with "--"; nothing else is taken',
    ],
    "arguments after the end of flags": [
      ["--", "--v=1"],
      '"--v=1": flags begin with "--"; nothing else is taken',
    ],
    "a duration without a unit": [
      ["--sync-period=10"],
      '--sync-period=10: it must be a duration such as 90s, 15m or 1h30m: time: missing unit in duration "10"',
    ],
    "a duration of nothing": [
      ["--sync-period=0s"],
      "--sync-period=0s: it must be a duration above zero, such as 90s, 15m or 1h30m",
    ],
    "a switch that is neither": [
      ["--leader-elect=yes"],
      "--leader-elect=yes: it must be true or false",
    ],
    "an address without a port": [
      ["--metrics-bind-address=localhost"],
      '--metrics-bind-address=localhost: it must be "host:port", ":port" for every address, or "0" for none',
    ],
    "a port that is none": [
      ["--webhook-port=70000"],
      "--webhook-port=70000: it must be a whole number from 0 to 65535",
    ],
    "half a worker": [
      ["--cluster-concurrency=0.5"],
      "--cluster-concurrency=0.5: it must be a whole number of at least 1",
    ],
    "a gate that there is not": [
      ["--feature-gates=MachinePool=true,Flying=true"],
      "--feature-gates=Flying=true: Flying is no feature gate; the feature gates are MachinePool, RuntimeSDK",
    ],
    "a gate of an object's prototype": [
      ["--feature-gates=constructor=true"],
      "--feature-gates=constructor=true: constructor is no feature gate; the feature gates are MachinePool, RuntimeSDK",
    ],
    "a gate without a value": [
      ["--feature-gates=MachinePool"],
      "--feature-gates=MachinePool: it must be written as gate=true or gate=false",
    ],
    "a lease that is too short": [
      ["--leader-elect-lease-duration=10s"],
      "--leader-elect-lease-duration=10s: it must be longer than --leader-elect-renew-deadline (10s)",
    ],
    "pauses that are too long": [
      ["--leader-elect-retry-period=9s"],
      "--leader-elect-renew-deadline=10s: it must be longer than 1.2 times --leader-elect-retry-period (9s)",
    ],
    "both kinds of namespaces": [
      ["--namespace=a", "--excluded-namespace=b"],
      "--namespace and --excluded-namespace: they exclude each other: name either the namespaces to watch or those to leave out",
    ],
    "all at once": [
      ["--v=-1", "--bogus", "--namespace=", "--excluded-namespace=A", "--api-group-suffix=_"],
      "--bogus: there is no such flag; --help lists them all",
      "--v=-1: it must be a whole number of at least 0",
      '--namespace="": it names no namespace; to watch all namespaces, leave the flag out',
      `--excluded-namespace="A": it is no name of a namespace: a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`,
      "--api-group-suffix=_: must contain '.'",
      `--api-group-suffix=_: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ],
  };
  for (const [name, [args, ...problems]] of Object.entries(rows)) {
    it(name, () => assert.deepEqual(problemsOf(...args), problems));
  }

  it("in one message", () => {
    assert.throws(() => parseProviderFlags(["--v=x", "--w"], own), {
      message:
        "could not read the command line:\n  --w: there is no such flag; --help lists them all\n  --v=x: it must be a whole number of at least 0",
    });
  });
});

describe("the help", () => {
  it("has every flag with its value and its default", () => {
    const lines = flagsHelp({ ...providerFlags, ...own }).split("\n");
    const line = (flag: string) => lines.find((text) => text.startsWith(`  --${flag}`)) ?? "";
    assert.match(
      line("sync-period"),
      /^ {2}--sync-period duration {2,}How often .* \(default 10m\)$/,
    );
    assert.match(line("leader-elect "), /^ {2}--leader-elect {2,}Let only one .*\.$/);
    assert.match(line("cluster-concurrency"), /int .*Cluster.* \(default 10\)$/);
    assert.match(line("feature-gates"), /RuntimeSDK=true\|false \(Alpha, default false\)/);
    assert.equal(lines.length, Object.keys({ ...providerFlags, ...own }).length + 1);
  });
});
