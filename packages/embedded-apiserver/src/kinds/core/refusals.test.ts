import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { StatusCause } from "@rookery/kube";
import { coreKind } from "../../../test/kinds/core/core-kind.ts";
import { judgeLocally } from "../../../test/kinds/kind-verdict.ts";

interface Case {
  readonly object: object;
  readonly old?: object;
  readonly status?: boolean;
  /** Fields and messages, in their order; none where it is accepted. */
  readonly problems: readonly string[];
}

const immutable = "Forbidden: field is immutable when `immutable` is set";
const ports = [{ port: 80 }];
const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
const volume = { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } };

const cases: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  ConfigMap: {
    "with a key in both": {
      object: { data: { a: "1" }, binaryData: { a: "MQ==" } },
      problems: ['data[a]: Invalid value: "a": duplicate of key present in binaryData'],
    },
    "that is immutable and changed": {
      old: { immutable: true, data: { a: "1" } },
      object: { data: { a: "2" } },
      problems: [`immutable: ${immutable}`, `data: ${immutable}`],
    },
  },
  Secret: {
    "of TLS without its keys": {
      object: { type: "kubernetes.io/tls" },
      problems: ["data[tls.crt]: Required value", "data[tls.key]: Required value"],
    },
    "of another type than before": {
      old: { type: "a" },
      object: { type: "b" },
      problems: ['type: Invalid value: "b": field is immutable'],
    },
    "with text in place of data": { object: { stringData: { a: "b" } }, problems: [] },
  },
  Namespace: {
    "with a finalizer of nobody": {
      object: { spec: { finalizers: ["mine"] } },
      problems: [
        'spec.finalizers: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
      ],
    },
    "that says it is ending": {
      old: { status: { phase: "Active" } },
      object: { status: { phase: "Terminating" } },
      status: true,
      problems: [
        "status.Phase: Invalid value: \"Terminating\": may only be 'Active' if `deletionTimestamp` is empty",
      ],
    },
  },
  Service: {
    "without a port": { object: { spec: {} }, problems: ["spec.ports: Required value"] },
    "that is headless without a port": { object: { spec: { clusterIP: "None" } }, problems: [] },
    "with another address than before": {
      old: { spec: { type: "ClusterIP", clusterIP: "10.0.0.9", clusterIPs: ["10.0.0.9"], ports } },
      object: { spec: { clusterIP: "10.0.0.8", ports } },
      problems: ['spec.clusterIPs[0]: Invalid value: ["10.0.0.8"]: may not change once set'],
    },
    "with an address outside of the range": {
      object: { spec: { clusterIP: "1.2.3.4", ports } },
      problems: [
        'spec.clusterIPs: Invalid value: ["1.2.3.4"]: failed to allocate IP 1.2.3.4: the provided IP (1.2.3.4) is not in the valid range. The range of valid IPs is 10.0.0.0/24',
      ],
    },
  },
  Endpoints: {
    "on loopback": {
      object: { subsets: [{ addresses: [{ ip: "127.0.0.1" }] }] },
      problems: [
        'subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
      ],
    },
  },
  Event: {
    "of an object elsewhere": {
      object: { involvedObject: { namespace: "other" } },
      problems: [
        'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
      ],
    },
  },
  Node: {
    "with a taint without an effect": {
      object: { spec: { taints: [{ key: "a" }] } },
      problems: ["metadata.taints[0].effect: Required value"],
    },
    "of another provider than before": {
      old: { spec: { providerID: "a" } },
      object: { spec: { providerID: "b" } },
      problems: [
        'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
      ],
    },
  },
  PersistentVolumeClaim: {
    "without anything": {
      object: {},
      problems: [
        "spec.accessModes: Required value: at least 1 access mode is required",
        "spec.resources[storage]: Required value",
      ],
    },
    "that is not bound and grows": {
      old: { spec: { ...claim, volumeMode: "Filesystem" } },
      object: { spec: { ...claim, resources: { requests: { storage: "2Gi" } } } },
      problems: [
        'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n@@ -6,7 +6,7 @@\n  "Resources": {\n   "Limits": null,\n   "Requests": {\n-   "storage": "1Gi"\n+   "storage": "2Gi"\n   }\n  },\n  "VolumeName": "",\n',
      ],
    },
  },
  PersistentVolume: {
    "without a source": {
      object: { spec: volume },
      problems: ["spec: Required value: must specify a volume type"],
    },
    "on one node without saying which": {
      object: { spec: { ...volume, local: { path: "/a" } } },
      problems: ["spec.nodeAffinity: Required value: Local volume requires node affinity"],
    },
  },
};

for (const [kind, rows] of Object.entries(cases)) {
  describe(`a ${kind}`, () => {
    for (const [name, { object, old, status = false, problems }] of Object.entries(rows)) {
      test(name, async () => {
        const metadata = { name: "a", ...(coreKind(kind).namespaced && { namespace: "b" }) };
        const verdict = await judgeLocally(coreKind(kind), {
          object: { metadata, ...object },
          old: old && { metadata: { ...metadata, resourceVersion: "1" }, ...old },
          status,
        });
        const { causes = [] } = "refused" in verdict ? (verdict.refused as Refused) : {};
        assert.deepEqual(
          causes.map(({ field, message }) => `${field}: ${message}`),
          problems,
        );
      });
    }
  });
}

interface Refused {
  readonly causes?: readonly StatusCause[];
}
