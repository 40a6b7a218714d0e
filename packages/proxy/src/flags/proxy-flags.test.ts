import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FlagsError } from "@rookery/runtime";
import { type ProxyFlagValues, parseProxyFlags, proxyHelp } from "./proxy-flags.ts";

function read(...args: string[]): ProxyFlagValues {
  const flags = parseProxyFlags(args);
  return flags.help ? assert.fail("it asks for help") : flags;
}

function problems(...args: string[]): readonly string[] {
  try {
    read(...args);
    return [];
  } catch (error) {
    assert.ok(error instanceof FlagsError, String(error));
    return error.problems;
  }
}

describe("the flags of a proxy", () => {
  it("without any, it renames nothing and is for an app on this machine", () => {
    const flags = read();
    assert.deepEqual(flags.bindAddress, { host: "127.0.0.1", port: 6443 });
    assert.deepEqual([flags.identity, flags.apiGroupSuffix, flags.map], ["app", [], []]);
    assert.equal(flags.callbackBindAddress, undefined);
  });

  it("find the app at the address of their pod, on a node that tells it", () => {
    const env = { ROOKERY_LISTEN_HOST: "127.64.0.7" };
    const inPod = (...args: readonly string[]) => {
      const callbacks = ["--callback-bind-address=:6444", "--callback-cert-dir=/cert"];
      const flags = parseProxyFlags([...callbacks, ...args], env);
      return flags.help ? assert.fail() : [flags.bindAddress, flags.callbackUpstream];
    };
    const webhooks = "--callback-upstream=https://127.0.0.1:9443";
    assert.deepEqual(inPod(webhooks, "--callback-upstream-insecure"), [
      { host: "127.64.0.7", port: 6443 },
      "https://127.64.0.7:9443",
    ]);
    const elsewhere = ["--bind-address=10.0.0.1:1", "--callback-upstream=https://a.example.com"];
    assert.deepEqual(inPod(...elsewhere, "--callback-upstream-ca-file=/ca"), [
      { host: "10.0.0.1", port: 1 },
      "https://a.example.com",
    ]);
  });

  it("take suffixes and groups, several of each", () => {
    const flags = read(
      "--api-group-suffix=pinniped.dev=team1.example.com",
      "--api-group-suffix=a.dev=a.example.com,b.dev=b.example.com",
      "--map",
      "argoproj.io=argoproj.example.com",
    );
    assert.deepEqual(flags.apiGroupSuffix, [
      { virtual: "pinniped.dev", real: "team1.example.com", match: "suffix" },
      { virtual: "a.dev", real: "a.example.com", match: "suffix" },
      { virtual: "b.dev", real: "b.example.com", match: "suffix" },
    ]);
    assert.deepEqual(flags.map, [
      { virtual: "argoproj.io", real: "argoproj.example.com", match: "group" },
    ]);
  });

  it("take a suffix by itself for Pinniped's", () => {
    const [pair] = read("--api-group-suffix=team1.example.com").apiGroupSuffix;
    assert.deepEqual(pair, { virtual: "pinniped.dev", real: "team1.example.com", match: "suffix" });
  });

  it("take rules for the app's own fields", () => {
    const rule = "login.pinniped.dev/TokenCredentialRequest:spec.authenticator.apiGroup:group";
    assert.deepEqual(read(`--rule=${rule}`).rule, [
      {
        group: "login.pinniped.dev",
        kind: "TokenCredentialRequest",
        path: "spec.authenticator.apiGroup",
        form: "group",
      },
    ]);
  });

  it("take the namespaces that the app sees, or those that it does not", () => {
    assert.deepEqual(read().scope, { type: "all" });
    assert.deepEqual(read("--namespace=a,b", "--namespace=c").scope, {
      type: "namespaces",
      namespaces: ["a", "b", "c"],
    });
    const rest = read("--excluded-namespace=a", "--own-namespace=capi2-system");
    assert.deepEqual(rest.scope, { type: "excluded", namespaces: ["a"] });
    assert.equal(rest.ownNamespace, "capi2-system");
  });

  it("are all in the help", () => {
    assert.match(proxyHelp(), /^Usage: rookery proxy/);
    assert.match(proxyHelp(), /--api-group-suffix app=cluster/);
    assert.ok(parseProxyFlags(["--help", "--nonsense"]).help);
  });
});

describe("flags that do not fit", () => {
  const callbacks = ["--callback-bind-address=:6444", "--callback-upstream=https://127.0.0.1:9443"];
  const rows: Record<string, [args: readonly string[], ...problems: RegExp[]]> = {
    "invalid suffixes are named all at once": [
      ["--api-group-suffix=pinniped.dev=nodot,other.dev=.leading.example.com"],
      /"nodot" must contain '\.'/,
      /".leading.example.com".*RFC 1123/,
    ],
    "suffixes that overlap": [
      ["--api-group-suffix=a.dev=b.example.com,c.dev=d.b.example.com"],
      /overlap/,
    ],
    "one name for two": [
      ["--map=a.dev=x.example.com,b.dev=x.example.com"],
      /mapped more than once/,
    ],
    "a group without another name": [["--map=argoproj.io"], /as argoproj\.io=argoproj\.team1/],
    "too many names": [["--map=a.b=c.d=e.f"], /it must say/],
    "namespaces that are no names, all at once": [
      ["--namespace=A", "--excluded-namespace=b_c", "--own-namespace=D"],
      /--namespace="A"/,
      /--excluded-namespace="b_c"/,
      /--own-namespace=D/,
    ],
    "namespaces in and out at once": [
      ["--namespace=a", "--excluded-namespace=b"],
      /they exclude each other/,
    ],
    "an own namespace for nothing": [["--own-namespace=a"], /all namespaces are seen/],
    "a rule without a form": [["--rule=a.dev/B:spec.c"], /group\/Kind:path:form/],
    "a rule with a form of Kubernetes' own": [
      ["--rule=a.dev/B:spec.c:message"],
      /its form must be/,
    ],
    "an identity that is nobody's": [["--identity=root"], /it must be app or proxy/],
    "no address for the app": [["--bind-address=0"], /an app has to reach the proxy/],
    "tokens in the clear": [
      ["--plain-http", "--identity=proxy", "--bind-address=10.0.0.1:80"],
      /tokens would pass in the clear/,
      /anybody could use it/,
    ],
    "a token that clients do not send": [["--plain-http"], /clients send no token without TLS/],
    "files about TLS without TLS": [
      ["--plain-http", "--identity=proxy", "--ca-file-out=a", "--app-service-account-dir=b"],
      /--ca-file-out/,
      /--app-service-account-dir/,
    ],
    "a certificate that says nothing upstream": [["--client-ca-file=a"], /--identity=proxy/],
    "an identity for everybody": [
      ["--identity=proxy", "--bind-address=:6443"],
      /bind to 127\.0\.0\.1, or give --client-ca-file/,
    ],
    "webhooks that nobody calls": [
      ["--callback-upstream=https://127.0.0.1:9443"],
      /--callback-bind-address/,
    ],
    "webhooks in the clear": [
      [
        "--callback-bind-address=:1",
        "--callback-upstream=http://127.0.0.1:1",
        "--callback-cert-dir=a",
      ],
      /it must be such as https/,
    ],
    "webhooks elsewhere that anybody could answer": [
      [
        "--callback-bind-address=:1",
        "--callback-upstream=https://10.0.0.1:1",
        "--callback-upstream-insecure",
        "--callback-cert-dir=a",
      ],
      /anybody could answer for the app/,
    ],
    "webhooks that nobody knows": [
      [...callbacks, "--callback-cert-dir=a"],
      /either --callback-upstream-ca-file/,
    ],
    "callbacks that the API server does not trust": [
      [...callbacks, "--callback-upstream-insecure"],
      /either --callback-cert-dir, or --callback-name/,
    ],
  };
  for (const [name, [args, ...expected]] of Object.entries(rows)) {
    it(name, () => {
      const found = problems(...args);
      assert.equal(found.length, expected.length, found.join("\n"));
      for (const one of expected)
        assert.ok(
          found.some((text) => one.test(text)),
          found.join("\n"),
        );
    });
  }

  const fitting: Record<string, readonly string[]> = {
    "the proxy's identity for those with a certificate": [
      "--identity=proxy",
      "--bind-address=:6443",
      "--client-ca-file=a",
    ],
    "the proxy's identity for those with its token": [
      "--identity=proxy",
      "--bind-address=:6443",
      "--app-kubeconfig-out=a",
    ],
    "in the clear on loopback": ["--identity=proxy", "--plain-http", "--bind-address=[::1]:8001"],
    "callbacks with the app's own certificate": [
      ...callbacks,
      "--callback-upstream-insecure",
      "--callback-cert-dir=a",
    ],
    "callbacks with an issued certificate": [
      ...callbacks,
      "--callback-upstream-ca-file=a",
      "--callback-name=app.ns.svc",
      "--callback-ca-file-out=b",
    ],
  };
  for (const [name, args] of Object.entries(fitting)) {
    it(`do where they do: ${name}`, () => assert.deepEqual(problems(...args), []));
  }
});
