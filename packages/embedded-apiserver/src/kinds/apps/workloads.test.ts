import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DaemonSet, Deployment, StatefulSet } from "@rookery/api";
import { daemonSetKind } from "./daemon-set.ts";
import { deploymentKind } from "./deployment.ts";
import { statefulSetKind } from "./stateful-set.ts";

const labels = { app: "a" };
const spec = {
  selector: { matchLabels: labels },
  template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "c:1" }] } },
};

function deployment(fields: Deployment["spec"] = {}): Deployment {
  const made: Deployment = {
    metadata: { name: "d" },
    spec: structuredClone({ ...spec, ...fields }),
  };
  deploymentKind.defaults?.(made);
  return made;
}

describe("a Deployment", () => {
  it("has a new generation with another spec or other annotations, and with other labels not", () => {
    const old = deployment();
    const isNew = (each: Deployment) => deploymentKind.isNewGeneration?.(each, old);
    assert.equal(isNew(deployment()), false);
    assert.equal(isNew(deployment({ replicas: 2 })), true);
    assert.equal(isNew({ ...deployment(), metadata: { annotations: { a: "b" } } }), true);
    assert.equal(isNew({ ...deployment(), metadata: { labels: { a: "b" } } }), false);
  });

  it("keeps its spec and labels when its status is written", () => {
    const old = { ...deployment(), metadata: { labels: { a: "b" } } };
    const written: Deployment = {
      metadata: { labels: { x: "y" }, annotations: { x: "y" } },
      spec: { replicas: 9 },
      status: { replicas: 1, terminatingReplicas: 1 },
    };
    deploymentKind.status?.prepareForUpdate?.(written, old);
    assert.deepEqual(written, {
      metadata: { labels: { a: "b" }, annotations: { x: "y" } },
      spec: old.spec,
      status: { replicas: 1 },
    });
  });

  it("has a scale with its replicas and its selector as a text", () => {
    const object = { ...deployment({ replicas: 3 }), status: { replicas: 2 } };
    const { scale } = deploymentKind;
    assert.equal(scale?.specReplicas(object), 3);
    assert.equal(scale?.statusReplicas(object), 2);
    assert.equal(scale?.selector(object), "app=a");
    scale?.setReplicas(object, 5);
    assert.equal(object.spec?.replicas, 5);
  });

  it("is warned of a name that is no name of a host", () => {
    const named = { ...deployment(), metadata: { name: "with.dots" } };
    assert.deepEqual(deploymentKind.warnings?.(named), [
      "metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
    ]);
    assert.deepEqual(deploymentKind.warnings?.(named, named), []);
  });
});

describe("a DaemonSet", () => {
  const annotation = "deprecated.daemonset.template.generation";
  const made = (): DaemonSet => {
    const daemonSet: DaemonSet = { metadata: { name: "d" }, spec: structuredClone(spec) };
    daemonSetKind.defaults?.(daemonSet);
    return daemonSet;
  };
  const generationOf = ({ metadata }: DaemonSet) => metadata?.annotations?.[annotation];

  it("counts how often its template has changed, and lets nobody else do so", () => {
    const old = made();
    daemonSetKind.prepareForCreate?.(old);
    assert.equal(generationOf(old), "1");

    const same = made();
    same.metadata = { annotations: { [annotation]: "7" } };
    daemonSetKind.prepareForUpdate?.(same, old);
    assert.equal(generationOf(same), "1");

    const other = made();
    if (other.spec?.template?.spec) other.spec.template.spec.hostNetwork = true;
    daemonSetKind.prepareForUpdate?.(other, old);
    assert.equal(generationOf(other), "2");
  });
});

describe("a StatefulSet", () => {
  const made = (fields: StatefulSet["spec"]): StatefulSet => {
    const statefulSet: StatefulSet = { spec: structuredClone({ ...spec, ...fields }) };
    statefulSetKind.defaults?.(statefulSet);
    return statefulSet;
  };

  it("gives its claims their type and a phase", () => {
    const { spec: filled } = made({ volumeClaimTemplates: [{ metadata: { name: "data" } }] });
    assert.deepEqual(filled?.volumeClaimTemplates, [
      {
        metadata: { name: "data" },
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        status: { phase: "Pending" },
        spec: { volumeMode: "Filesystem" },
      },
    ]);
  });

  it("says how to roll an update only where nothing is said, or something of it", () => {
    assert.deepEqual(made({}).spec?.updateStrategy, {
      type: "RollingUpdate",
      rollingUpdate: { partition: 0 },
    });
    assert.deepEqual(made({ updateStrategy: { type: "RollingUpdate" } }).spec?.updateStrategy, {
      type: "RollingUpdate",
    });
  });

  it("may not change what its pods are known by", () => {
    const problems = statefulSetKind.validateUpdate?.(
      made({ serviceName: "b" }),
      made({ serviceName: "a" }),
    );
    assert.deepEqual(
      problems?.map(({ field, type }) => [field, type]),
      [["spec", "FieldValueForbidden"]],
    );
  });
});
