import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { run } from "../../test/run.ts";

describe("rookery get", () => {
  const refused: Readonly<Record<string, RegExp>> = {
    "get clusters -A -n team": /--namespace and --all-namespaces do not go together/,
    "get tenants -o xml": /Allowed choices are table, wide, json, yaml/,
    "get kubeconfig": /missing required argument 'cluster'/,
    "get kubeconfig a b": /too many arguments/,
  };
  for (const [args, message] of Object.entries(refused)) {
    it(`refuses "${args}"`, async () => {
      const { code, errors } = await run(args);
      assert.equal(code, 2);
      assert.match(errors, message);
    });
  }

  it("names the kubeconfig that is not there", async () => {
    const { code, errors } = await run("get providers --kubeconfig=/nowhere/kubeconfig");
    assert.equal(code, 1);
    assert.match(errors, /\/nowhere\/kubeconfig/);
  });
});

describe("rookery describe cluster", () => {
  const refused: Readonly<Record<string, RegExp>> = {
    "describe cluster": /missing required argument 'name'/,
    "describe cluster a --watch -o json": /--watch and --output=json do not go together/,
    "describe cluster a -o wide": /Allowed choices are table, json, yaml/,
  };
  for (const [args, message] of Object.entries(refused)) {
    it(`refuses "${args}"`, async () => {
      const { code, errors } = await run(args);
      assert.equal(code, 2);
      assert.match(errors, message);
    });
  }
});

describe("rookery generate", () => {
  const refused: Readonly<Record<string, RegExp>> = {
    "generate cluster": /missing required argument 'name'/,
    "generate cluster a -n b --from=x --flavor=y": /--infrastructure or --flavor and --from do not/,
    "generate cluster a -n b --from-config-map-key=x":
      /--from-config-map has to name the ConfigMap/,
    "generate cluster a -n b -i x:y:z": /--infrastructure "x:y:z" is not name or name:version/,
    "generate cluster a -n B": /--target-namespace "B" is not valid/,
    "generate cluster a --from=- --kubeconfig=/nowhere":
      /--target-namespace is missing, and no context names one/,
    "generate provider": /exactly one of --core, --bootstrap, /,
    "generate provider --core=a --addon=b": /exactly one of --core/,
  };
  for (const [args, message] of Object.entries(refused)) {
    it(`refuses "${args}"`, async () => {
      const { code, errors } = await run(args, { env: { HOME: "/nowhere" } });
      assert.equal(code, 2);
      assert.match(errors, message);
    });
  }

  it("replaces variables of what it is given", async () => {
    const input = "b: ${" + "NAME}\na: [x, ${" + "N:=1}]\n";
    const { output } = await run("generate yaml", { input, env: { NAME: "z", HOME: "/nowhere" } });
    assert.equal(output, "a:\n- x\n- 1\nb: z\n");
  });
});
