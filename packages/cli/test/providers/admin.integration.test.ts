import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { builtInResources, type KubeObject } from "@rookery/kube";
import { clusterApiSource, clusterApiVersions, waitFor, whyUnavailable } from "@rookery/testing";
import type { CommandIo } from "../../src/command.ts";
import { readConfig } from "../../src/config/read-config.ts";
import { applyUpgrade } from "../../src/upgrade/apply-upgrade.ts";
import { MortalProcess } from "../upgrade/mortal-client.ts";
import { AdminCluster } from "./admin-cluster.ts";

const skip = await whyUnavailable(() => clusterApiSource());
const [old, current] = clusterApiVersions;
const core = { namespace: "capi-system", name: "cluster-api" };
const aws = { namespace: "aws-system", name: "aws" };
const second = { namespace: "aws2-system", name: "aws" };
const patchFirst = [
  ...["patch", "-n", aws.namespace, "infrastructureprovider/aws", "--type=merge", "-p"],
];

type Deployment = KubeObject<{
  readonly template: {
    readonly spec: {
      readonly containers: readonly { readonly image: string; readonly args: string[] }[];
    };
  };
}>;

/** Every version of the small provider fits what the core has. */
const awsVersions = { "v1.0.0": "v1beta1", "v2.0.0": "v1beta2" };

describe("the day of an admin, on a real API server with the real Cluster API", { skip }, () => {
  let cluster: AdminCluster;

  before(async () => {
    cluster = await AdminCluster.start([old, current], awsVersions);
  });
  after(() => cluster?.[Symbol.asyncDispose]());

  const secretsOf = async (namespace: string) => {
    const list = await cluster.client.resource(builtInResources.secrets).listAll({ namespace });
    return list.items.map(({ metadata }) => metadata.name ?? "");
  };
  const find = (group: string, kind: string, key: { namespace?: string; name: string }) =>
    cluster.administrator.find<KubeObject>({ group, kind }, key);
  const first = `--core cluster-api:${old} -b - -c -`;
  const credentials = { AWS_CREDENTIALS: "hush" };

  test("images are those that clusterctl lists, but for cert-manager's and the operator's", async () => {
    const flags = `--core cluster-api:${current} -b kubeadm:${current} -c kubeadm:${current}`;
    const { output } = await cluster.runAlone(`init list-images ${flags}`);
    const theirs = await cluster.clusterctl.run(cluster.kubernetes, [
      ...["init", "list-images", ...flags.split(" "), "--infrastructure", "-"],
    ]);
    const images = (text: string) =>
      text.split("\n").filter((line) => line !== "" && !/cert-manager|^rookery:/.test(line));
    assert.equal(images(output).length, 3);
    assert.deepEqual(images(output), images(theirs));
    assert.match(output, /^rookery:/m);
  });

  test("an init whose variables are missing names them, and changes nothing", async () => {
    const { code, errors } = await cluster.run(`init -i aws:v1.0.0 ${first}`);
    assert.equal(code, 1);
    assert.match(
      errors,
      /InfrastructureProvider aws v1\.0\.0 needs values for AWS_CREDENTIALS; set/,
    );
    assert.equal(await find("", "Namespace", { name: "rookery-system" }), undefined);
  });

  test("a dry run prints every object, and changes nothing", async () => {
    const { code, output } = await cluster.run(
      `init -i aws:v1.0.0 ${first} --dry-run -o json`,
      credentials,
    );
    assert.equal(code, 0);
    const kinds = JSON.parse(output).items.map(({ kind }: KubeObject) => kind);
    for (const kind of ["Deployment", "CoreProvider", "InfrastructureProvider", "Secret"]) {
      assert.ok(kinds.includes(kind), kind);
    }
    assert.equal(await find("", "Namespace", { name: "rookery-system" }), undefined);
  });

  test("init installs the operator and the providers, and says what to do next", async () => {
    const [{ code, errors, output }] = await Promise.all([
      cluster.run(`init -i aws:v1.0.0 ${first}`, credentials),
      cluster.startOperator(),
    ]);
    assert.equal(code, 0, errors);
    assert.match(errors, /^Note: cert-manager in .* is not used/);
    assert.match(errors, /^Installing rookery-operator from image rookery:/m);
    assert.match(errors, /^InfrastructureProvider aws-system\/aws: v1\.0\.0 is ready$/m);
    assert.match(output, /^Installed and ready:\n {2}CoreProvider cluster-api v1\.8\.4\n/);
    const [, hint = ""] = /^Next:\n {2}rookery (.*)\n/m.exec(output) ?? [];
    assert.equal(hint, "generate cluster first --infrastructure aws --list-variables");
    assert.match((await cluster.run(hint)).output, /AWS_ZONE/);
    const { spec } = await cluster.get("InfrastructureProvider", aws);
    assert.ok((await secretsOf("aws-system")).includes(spec?.secretName ?? "none"));
    const deployment = await find("apps", "Deployment", { ...aws, name: "aws-manager" });
    assert.match(JSON.stringify(deployment?.spec), /"--credentials=hush","--region=eu-west-1"/);
  });

  test("a second init finds all of it, and refuses to be an upgrade", async () => {
    const again = await cluster.run(`init -i aws:v1.0.0 ${first}`, credentials);
    assert.equal(again.code, 0, again.errors);
    assert.match(
      again.output,
      /^Nothing is missing here: all that was asked for is installed and ready\.\n {2}CoreProvider cluster-api v1\.8\.4\n/,
    );
    const dry = await cluster.run(`init -i aws:v1.0.0 ${first} --dry-run`, credentials);
    assert.deepEqual([dry.code, dry.output], [0, ""]);
    assert.match(
      dry.errors,
      /^Nothing would be applied: all that was asked for is declared already\.\n {2}CoreProvider capi-system\/cluster-api: v1\.8\.4 is ready\n/m,
    );
    const misspelled = await cluster.run("init -i asw", credentials);
    assert.equal(misspelled.code, 1);
    assert.match(misspelled.errors, /InfrastructureProvider asw is unknown; did you mean aws\?/);
    const { code, errors } = await cluster.run("init -i aws:v2.0.0", credentials);
    assert.equal(code, 1);
    assert.match(
      errors,
      /is there in v1\.0\.0; "rookery upgrade apply --infrastructure aws:v2\.0\.0"/,
    );
  });

  test("init adds a further instance, once the one that is there leaves namespaces to it", async () => {
    const alone = await cluster.run(`init -i aws -n ${second.namespace}`, credentials);
    assert.equal(alone.code, 1);
    assert.match(alone.errors, /say what it is to watch, by --watch-namespace or --watch-rest/);
    const add = `init -i aws -n ${second.namespace} --watch-namespace team --watch-rbac Cluster`;
    const { code, errors } = await cluster.run(add, credentials);
    assert.equal(code, 1);
    const [, patch = ""] = /-n aws-system \S+ --type=merge -p '(.*)'/.exec(errors) ?? [];
    await cluster.kubernetes.kubectl([...patchFirst, patch]);
    const added = await cluster.run(add, credentials);
    assert.equal(added.code, 0, added.errors);
    assert.match(added.output, /^ {2}InfrastructureProvider aws v1\.0\.0 in aws2-system$/m);
    assert.match((await cluster.run(add, credentials)).output, /^Nothing is missing here/);
    const { spec } = await cluster.get("InfrastructureProvider", second);
    assert.deepEqual(spec?.watch, { namespaces: ["team"], rbac: "Cluster" });
  });

  test("an instance whose namespaces clash with another's is refused before anything is made", async () => {
    const add = "init -i aws -n aws3-system --watch-namespace team,more";
    for (const args of [add, `${add} --dry-run`, `${add} --no-wait`]) {
      const { code, errors, output } = await cluster.run(args, credentials);
      assert.deepEqual([code, output], [1, ""], args);
      assert.match(
        errors,
        /could not give namespace team to InfrastructureProvider aws3-system\/aws: InfrastructureProvider aws2-system\/aws claims the same; let spec\.watch of only one of them name each namespace$/m,
      );
    }
    assert.equal(await find("", "Namespace", { name: "aws3-system" }), undefined);
  });

  test("an init of what was declared and can't be installed says so at once", async () => {
    const clashing = { namespace: "aws3-system", name: "aws" };
    const { spec } = await cluster.get("InfrastructureProvider", second);
    await cluster.administrator.makeNamespace(clashing.namespace);
    await cluster.administrator.create("InfrastructureProvider", clashing, {
      ...spec,
      watch: { namespaces: ["team"] },
    });
    const init = "init -i aws -n aws3-system --watch-namespace team --wait-timeout 60";
    const again = await cluster.run(init, credentials);
    assert.equal(again.code, 1);
    assert.doesNotMatch(again.output, /Nothing is missing/);
    const why = /aws3-system\/aws: NamespaceClash: could not give namespace team to .* aws2-system/;
    assert.match(again.errors, why);
    const all = await cluster.run("init --wait-timeout 60");
    assert.equal(all.code, 1, "without names it asks for all that is declared");
    assert.match(all.errors, why);
    const unwaited = await cluster.run(`${init} --no-wait`, credentials);
    assert.equal(unwaited.code, 0);
    assert.match(
      unwaited.output,
      /^ {2}InfrastructureProvider aws3-system\/aws: NamespaceClash: /m,
    );
    const shards = await cluster.run("shards");
    assert.equal(shards.code, 1);
    assert.match(
      shards.output,
      /^claim: aws3-system of InfrastructureProvider aws claims team and does not watch it \(NamespaceClash\): team is aws2-system's$/m,
    );
  });

  test("an instance that was never installed is deleted, whatever clusters the others have", async () => {
    await cluster.administrator.makeNamespace("team");
    const metadata = { name: "prod", namespace: "team" };
    const nest = {
      apiVersion: "aws.example.com/v1",
      kind: "Nest",
      metadata: withCluster(metadata),
    };
    await (await cluster.client.kind<KubeObject>(nest)).create(nest);
    await cluster.administrator.makeNamespace("aws4-system");
    // One clashes with another instance, the other names a version that there is not.
    const clashing = { namespace: "aws3-system", name: "aws" };
    const missing = { namespace: "aws4-system", name: "aws" };
    await cluster.administrator.create("InfrastructureProvider", missing, {
      version: "v1.0.1",
      watch: { namespaces: ["nowhere"] },
    });
    for (const [key, reason] of [
      [clashing, "NamespaceClash"],
      [missing, "VersionSkew"],
    ] as const) {
      await cluster.administrator.conditionIs("InfrastructureProvider", key, ["Ready", reason]);
      const { code, errors, output } = await cluster.run(`delete -i aws -n ${key.namespace}`);
      assert.equal(code, 0, errors);
      assert.match(
        output,
        new RegExp(`^Gone:\\n {2}InfrastructureProvider ${key.namespace}/aws\\n$`),
      );
    }
    const used = await cluster.run("delete -i aws -n aws-system --include-crd --dry-run");
    assert.equal(used.code, 0, "another instance stays, and has the cluster");
    await (await cluster.client.kind<KubeObject>(nest)).delete(metadata);
    await cluster.administrator.conditionIs("InfrastructureProvider", second, ["Ready", "Ready"]);
  });

  test("an instance is deleted, and the first one watches everything again", async () => {
    const removed = await cluster.run(`delete -i aws -n ${second.namespace}`);
    assert.equal(removed.code, 0, removed.errors);
    const all = '{"spec":{"watch":null}}';
    await cluster.kubernetes.kubectl([...patchFirst, all]);
    await cluster.administrator.conditionIs("InfrastructureProvider", aws, ["Ready", "Ready"]);
  });

  test("an operator of another version is refused, with the way out, which mends it", async () => {
    const label = (version: string) =>
      cluster.kubernetes.kubectl([
        ...["label", "deployment/rookery-operator", "-n", "rookery-system", "--overwrite"],
        `app.kubernetes.io/version=${version}`,
      ]);
    await label("99.0.0");
    for (const command of ["init -i aws", "delete --all", "upgrade apply --contract v1beta2"]) {
      const { code, errors } = await cluster.run(command);
      assert.equal(code, 1, command);
      assert.match(
        errors,
        /operator in the cluster is 99\.0\.0.*; use version 99\.0\.0 of this command/,
      );
    }
    assert.match((await cluster.run("upgrade plan")).output, /is 99\.0\.0, and this command/);
    await label("0.0.0-alpha");
    const older = await cluster.run("init -i aws");
    assert.match(older.errors, /is 0\.0\.0-alpha, .*; run "rookery upgrade operator"/);
    const { code, output, errors } = await cluster.run("upgrade operator");
    assert.equal(code, 0, errors);
    assert.match(output, /^The operator is \S+ now; it was 0\.0\.0-alpha\.\n$/);
    assert.match(
      (await cluster.run("upgrade operator")).output,
      /^The operator is \S+ already\.\n$/,
    );
  });

  test("an upgrade keeps the image that the operator was installed with", async () => {
    const type = { group: "apps", kind: "Deployment" };
    const key = { namespace: "rookery-system", name: "rookery-operator" };
    const installed = await cluster.administrator.find<Deployment>(type, key);
    const version = installed?.metadata.labels?.["app.kubernetes.io/version"];
    const become = async (image: string, from: string) => {
      const labels = { "app.kubernetes.io/version": from };
      const containers = [{ name: "manager", image }];
      const patch = { metadata: { labels }, spec: { template: { spec: { containers } } } };
      await cluster.kubernetes.kubectl([
        ...["patch", "deployment/rookery-operator", "-n", "rookery-system", "--type=strategic"],
        `--patch=${JSON.stringify(patch)}`,
      ]);
    };
    const image = async () => {
      const found = await cluster.administrator.find<Deployment>(type, key);
      return found?.spec?.template.spec.containers.map((one) => [one.image, one.args[3]]);
    };
    const mirrored = `mirror.example.com/rookery:${version}`;
    await become("mirror.example.com/rookery:0.0.0-alpha", "0.0.0-alpha");
    const upgraded = await cluster.run("upgrade operator");
    assert.equal(upgraded.code, 0, upgraded.errors);
    assert.deepEqual(await image(), [[mirrored, `--image=${mirrored}`]]);
    await become("mirror.example.com/rookery:main", "0.0.0-alpha");
    for (const command of ["upgrade operator", "upgrade apply --contract v1beta1"]) {
      const { code, errors } = await cluster.run(command);
      assert.equal(code, 1, command);
      assert.match(errors, /whose tag is not its version .*--image <image>/);
    }
    const named = "mirror.example.com/rookery:main";
    assert.equal((await cluster.run(`upgrade operator --image ${named}`)).code, 0);
    assert.deepEqual(await image(), [[named, `--image=${named}`]]);
    const applied = await cluster.run("upgrade apply --contract v1beta1");
    assert.equal(applied.code, 0, applied.errors);
    assert.deepEqual(await image(), [[named, `--image=${named}`]]);
  });

  test("the plan has the rows of clusterctl's", async () => {
    const { output } = await cluster.run("upgrade plan");
    const theirs = await cluster.clusterctl.run(cluster.kubernetes, ["upgrade", "plan"]);
    const rows = (text: string) => text.split("\n").filter((line) => /Provider /.test(line));
    assert.equal(rows(output).length, 4);
    assert.deepEqual(rows(output), rows(theirs));
    assert.match(output, /rookery upgrade apply --contract v1beta2/);
  });

  test("an upgrade to the next contract, killed after each of its writes, is resumed", async () => {
    const deadly = /management\.cluster\.x-k8s\.io|\/configmaps(\/rookery-upgrade)?$/;
    const config = await readConfig({ config: cluster.configFile }, silent());
    const request = { contract: "v1beta2", named: [], text: "--contract v1beta2" };
    const phases = new Set<string>();
    let deaths = 0;
    for (;;) {
      const process = new MortalProcess();
      const client = process.clientOf(cluster.client, (path) => deadly.test(path));
      const io = silent();
      const tools = { client, io, config, timeoutSeconds: 300 };
      const outcome = await applyUpgrade(request, tools).catch((error: Error) => error);
      for (const [, phase = ""] of io.seen().matchAll(/began at .* \((\w+)\)/g)) phases.add(phase);
      if (!process.isDead) {
        assert.ok(!(outcome instanceof Error), String(outcome));
        break;
      }
      deaths += 1;
      assert.ok(deaths < 30, "it does not come to an end");
      if (deaths === 3) {
        const { errors } = await cluster.run("upgrade apply -i aws:v2.0.0");
        assert.match(
          errors,
          /another upgrade began at .*"rookery upgrade apply --contract v1beta2"/,
        );
      }
    }
    assert.ok(deaths >= 8, `${deaths} deaths`);
    assert.deepEqual([...phases].sort(), ["Changing", "Pausing", "Unpausing"]);
    const { spec, status } = await cluster.get("CoreProvider", core);
    assert.deepEqual([spec?.paused, status?.installedVersion], [undefined, current]);
    assert.equal((await cluster.get("InfrastructureProvider", aws)).status?.contract, "v1beta2");
    const journal = { namespace: "rookery-system", name: "rookery-upgrade" };
    assert.equal(await find("", "ConfigMap", journal), undefined);
    const { output } = await cluster.run("upgrade apply --contract v1beta2");
    assert.equal(output, "All of it is up to date.\n");
  });

  test("a provider that a cluster uses is not deleted, and the cluster is named", async () => {
    const metadata = { name: "prod", namespace: "default" };
    const nest = {
      apiVersion: "aws.example.com/v1",
      kind: "Nest",
      metadata: withCluster(metadata),
    };
    await (await cluster.client.kind<KubeObject>(nest)).create(nest);
    const { code, errors } = await cluster.run("delete -i aws");
    assert.equal(code, 1);
    assert.match(errors, /aws-system\/aws is used by Cluster default\/prod; delete them first/);
    const { metadata: provider } = await cluster.get("InfrastructureProvider", aws);
    assert.equal(provider.deletionTimestamp, undefined);
    await (await cluster.client.kind<KubeObject>(nest)).delete(metadata);
    const { errors: why } = await cluster.run("delete --core cluster-api");
    assert.match(why, /is used by InfrastructureProvider aws-system\/aws; delete them first/);
  });

  test("--all deletes the providers, and the operator last", async () => {
    const { code, errors, output } = await cluster.run("delete --all --include-crd");
    assert.equal(code, 0, errors);
    assert.match(output, /^Gone:\n.*\n.*\n {2}the operator in rookery-system\n$/);
    const deployment = { namespace: "rookery-system", name: "rookery-operator" };
    assert.equal(await find("apps", "Deployment", deployment), undefined);
    assert.notEqual(await find("", "Namespace", { name: "aws-system" }), undefined);
    assert.deepEqual(
      (await secretsOf("aws-system")).filter((name) => name.includes("variables")),
      [],
    );
    const definitions = { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition" };
    await waitFor(
      async () => {
        const { items } = await (await cluster.client.kind(definitions)).listAll();
        return items.length === 0;
      },
      { what: "all CRDs to be gone" },
    );
  });
});

/** What clusterctl's and our own users know an object of a cluster by. */
function withCluster(metadata: { readonly name: string; readonly namespace: string }) {
  return { ...metadata, labels: { "cluster.x-k8s.io/cluster-name": metadata.name } };
}

function silent(): CommandIo & { readonly seen: () => string } {
  let errors = "";
  return {
    write: () => {},
    writeError: (text) => {
      errors += text;
    },
    readInput: async () => "",
    env: {},
    seen: () => errors,
  };
}
