import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseAllDocuments } from "yaml";
import { run } from "../../test/run.ts";

const components = `
apiVersion: v1
kind: Namespace
metadata: {name: nests-system}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: \${ROLE:=nests-manager}}
rules: [{apiGroups: [""], resources: [namespaces], verbs: [list]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: nests-manager}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: \${ROLE:=nests-manager}}
subjects: [{kind: ServiceAccount, name: nests-manager, namespace: nests-system}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: nests-validation}
webhooks: []
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: \${NAME}, namespace: nests-system}
spec: {template: {spec: {containers: [{name: manager, image: "example.com/nests:v1"}]}}}
`;

async function runOperator(args: string, env: Readonly<Record<string, string>> = {}) {
  const seen = await run(args, { env, input: components });
  const manifests = parseAllDocuments(seen.output).map((document) => document.toJS());
  return { ...seen, manifests };
}

describe("rookery install operator", () => {
  it("prints a YAML document for every object, without aliases", async () => {
    const { code, output, manifests } = await runOperator(
      "install operator --image mirror.example/r:1",
    );
    assert.equal(code, 0);
    assert.equal(manifests[0].metadata.name, "rookery-system");
    const deployment = manifests.find(({ kind }) => kind === "Deployment");
    assert.equal(deployment.spec.template.spec.containers[0].image, "mirror.example/r:1");
    assert.doesNotMatch(output, /[&*]a\d/);
  });

  it("passes variables on", async () => {
    const { output } = await runOperator(
      "install operator --env HTTPS_PROXY=http://p:1 --env A=b=c",
    );
    assert.match(output, /name: HTTPS_PROXY\n\s+value: http:\/\/p:1/);
    assert.match(output, /name: A\n\s+value: b=c/);
  });

  it("refuses what can't be installed", async () => {
    assert.equal((await runOperator("install operator --replicas many")).code, 2);
    assert.equal((await runOperator("install operator --env A")).code, 2);
    const { code, errors } = await runOperator("install operator --namespace Not_one");
    assert.equal(code, 1);
    assert.match(errors, /could not render the operator: --namespace "Not_one"/);
  });
});

describe("rookery manager operator", () => {
  it("says what it takes", async () => {
    const { code, output } = await runOperator("manager operator --help");
    assert.equal(code, 0);
    assert.match(output, /--image-override override/);
    assert.match(output, /--leader-elect/);
  });

  it("names everything that is wrong with its flags", async () => {
    const { code, errors } = await runOperator(
      "manager operator --image-override=x --provider-concurrency=0",
    );
    assert.equal(code, 2);
    assert.match(errors, /--image-override=x: it must be <component>\.<part>=<value>/);
    assert.match(errors, /--provider-concurrency=0: it must be a whole number/);
    assert.match(errors, /"rookery manager operator --help" says what it takes/);
  });
});

describe("rookery operator rbac", () => {
  it("prints roles that name what is written, with variables as they are given", async () => {
    const { code, output, manifests } = await runOperator("operator rbac -f -", { NAME: "nests" });
    assert.equal(code, 0);
    const ids = manifests.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ""}`.trim());
    assert.deepEqual(ids, [
      "ClusterRole",
      "ClusterRoleBinding",
      "Role rookery-system",
      "RoleBinding rookery-system",
      "Role nests-system",
      "RoleBinding nests-system",
    ]);
    assert.match(output, /resourceNames:\n\s+- nests-manager\n\s+verbs:\n\s+- get/);
    assert.match(output, /resourceNames:\n\s+- nests\n/);
    assert.doesNotMatch(output, /"\*"/);
  });

  it("prints roles for instances: of their namespaces, and where they have rights alone", async () => {
    const instances = "--instance nests1 --instance nests2 --watched-namespace team";
    const { code, output, manifests } = await runOperator(`operator rbac -f - ${instances}`);
    assert.equal(code, 0);
    const roles = manifests.filter(({ kind }) => kind === "Role");
    const places = roles.map(({ metadata }) => metadata.namespace);
    assert.deepEqual(places, ["rookery-system", "nests1", "nests2", "team"]);
    const inTeam = JSON.stringify(roles.at(-1).rules);
    assert.match(inTeam, /"nests-manager:nests1","nests-manager:nests2"/);
    assert.match(inTeam, /"clusterroles"\],"resourceNames":\["nests-manager"\],"verbs":\["bind"\]/);
    assert.doesNotMatch(inTeam, /"secrets"/);
    assert.match(output, /- nests-validation-nests1\n\s+- nests-validation-nests2\n/);
  });

  it("wants to know of which file an instance is", async () => {
    for (const args of ["-f - -f x --instance a", "-f - --instance x=a", "-f - --instance -="]) {
      const { code, errors } = await runOperator(`operator rbac ${args}`);
      assert.equal(code, 2, args);
      assert.match(
        errors,
        /--instance ".*" must be <file>=<namespace>, with one of the files of -f/,
      );
    }
    assert.equal((await runOperator("operator rbac -f - --instance -=a")).code, 0);
  });

  it("needs a file", async () => {
    const { code, errors } = await runOperator("operator rbac");
    assert.equal(code, 2);
    assert.match(errors, /--filename <file>/);
  });
});
