import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type ClusterFacts, clusterVariables, withClusterDefaults } from "./cluster-variables.ts";
import { formatVariables } from "./list-variables.ts";

const facts: ClusterFacts = { name: "prod", namespace: "team" };
const names = ["CLUSTER_NAME", "NAMESPACE", "KUBERNETES_VERSION"];
const counts = ["CONTROL_PLANE_MACHINE_COUNT", "WORKER_MACHINE_COUNT"];

describe("the variables of a cluster", () => {
  const none = () => undefined;

  it("are what the command says, whatever the configuration does", () => {
    const given = { ...facts, kubernetesVersion: "v1.34.0", workerMachineCount: "3" };
    const lookup = clusterVariables(given, (name) => (name === "OTHER" ? "other" : "5"));
    assert.deepEqual([...names, ...counts, "OTHER"].map(lookup), [
      ...["prod", "team", "v1.34.0", "5", "3", "other"],
    ]);
  });

  it("have one machine for the control plane, and no workers, where nobody says it", () => {
    const lookup = clusterVariables(facts, none);
    assert.deepEqual([...counts, "KUBERNETES_VERSION"].map(lookup), ["1", "0", undefined]);
  });

  const refused: Record<string, [given: Partial<ClusterFacts>, message: RegExp]> = {
    "a name that no object can have": [{ name: "Prod!" }, /the name of the cluster "Prod!" is not/],
    "a namespace that can't be one": [
      { namespace: "a.b" },
      /--target-namespace "a\.b" is not valid/,
    ],
    "a version that is none": [{ kubernetesVersion: "newest" }, /is written like v1\.34\.0/],
    "a control plane of no machine": [
      { controlPlaneMachineCount: "0" },
      /"0" is no number of machines from 1 on, as --control-plane-machine-count/,
    ],
    "a number that is none": [{ workerMachineCount: "many" }, /"many" is no number of machines/],
  };
  for (const [name, [given, message]] of Object.entries(refused)) {
    it(`refuse ${name}`, () => {
      assert.throws(() => clusterVariables({ ...facts, ...given }, none), {
        code: "Usage",
        message,
      });
    });
  }

  it("are listed, those that have to be set first", () => {
    const variables = [
      ...[{ name: "A" }, { name: "LONGER", default: "x" }, { name: "NAMESPACE" }],
      ...[{ name: "QUOTED", default: '"y"' }, { name: "WORKER_MACHINE_COUNT" }],
    ];
    const environment = (name: string) => (name === "WORKER_MACHINE_COUNT" ? "4" : undefined);
    const given = { name: "prod", namespace: undefined };
    assert.equal(
      formatVariables(withClusterDefaults(variables, given, environment)),
      `Required Variables:
  - A

Optional Variables:
  - LONGER                (defaults to "x")
  - NAMESPACE             (defaults to current Namespace in the KubeConfig file)
  - QUOTED                (defaults to "y")
  - WORKER_MACHINE_COUNT  (defaults to 4)

`,
    );
  });
});
