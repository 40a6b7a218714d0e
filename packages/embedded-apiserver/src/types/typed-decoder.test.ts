import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { UnknownTypeError } from "../errors.ts";
import { typedDecoder } from "./typed-decoder.ts";

const core = "k8s.io/api/core/v1";
const apiextensions = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1";

/** As the text that it would be, so that the order of fields counts. */
function read(goType: string, value: object): string {
  return JSON.stringify(typedDecoder(goType)(value as never).object);
}

function unknownFields(goType: string, value: object): readonly string[] {
  return typedDecoder(goType)(value as never).unknownFields;
}

describe("what was read is as Go writes it", () => {
  const cases: Record<string, [goType: string, value: object, written: string]> = {
    "fields come in the order of their type": [
      `${core}.ConfigMap`,
      { data: { b: "2", a: "1" }, metadata: { namespace: "n", name: "x" }, kind: "ConfigMap" },
      '{"kind":"ConfigMap","metadata":{"name":"x","namespace":"n"},"data":{"a":"1","b":"2"}}',
    ],
    "empty values are left out where their type says so": [
      `${core}.ConfigMap`,
      { immutable: null, data: {}, metadata: { name: "", labels: {}, finalizers: [] } },
      '{"metadata":{}}',
    ],
    "a pointer to nothing much is kept": [
      `${core}.ConfigMap`,
      { immutable: false },
      '{"metadata":{},"immutable":false}',
    ],
    "structs and fields that are always written are there": [
      `${core}.Service`,
      { spec: { ports: [{ port: 80 }] } },
      '{"metadata":{},"spec":{"ports":[{"port":80,"targetPort":0}]},"status":{"loadBalancer":{}}}',
    ],
    "a list that is always written is null where there is none": [
      `${core}.Pod`,
      { spec: {} },
      '{"metadata":{},"spec":{"containers":null},"status":{}}',
    ],
    "a list that is empty is none, as Protobuf has it": [
      "k8s.io/api/rbac/v1.ClusterRole",
      { rules: [] },
      '{"metadata":{},"rules":null}',
    ],
    "a list that is empty stays where the kind is stored as JSON": [
      `${apiextensions}.CustomResourceDefinition`,
      { spec: { versions: [] } },
      '{"metadata":{},"spec":{"group":"","names":{"plural":"","kind":""},"scope":"","versions":[]},"status":{"conditions":null,"acceptedNames":{"plural":"","kind":""},"storedVersions":null}}',
    ],
    "quantities are canonical": [
      `${core}.PersistentVolumeClaim`,
      { spec: { resources: { requests: { storage: "0.5", cpu: 1000, memory: "2048Mi" } } } },
      '{"metadata":{},"spec":{"resources":{"requests":{"cpu":"1k","memory":"2Gi","storage":"500m"}}},"status":{}}',
    ],
    "times are in UTC and to the second": [
      `${core}.ConfigMap`,
      { metadata: { creationTimestamp: "2026-01-02T03:04:05.6+01:00" } },
      '{"metadata":{"creationTimestamp":"2026-01-02T02:04:05Z"}}',
    ],
    "the time of nothing is no time": [
      `${core}.ConfigMap`,
      { metadata: { creationTimestamp: "0001-01-01T00:00:00Z" } },
      '{"metadata":{}}',
    ],
    "times of leases keep their microseconds": [
      "k8s.io/api/coordination/v1.Lease",
      { spec: { renewTime: "2026-01-02T03:04:05.678901+01:00" } },
      '{"metadata":{},"spec":{"renewTime":"2026-01-02T02:04:05.678901Z"}}',
    ],
    "bytes are in canonical base64": [
      `${core}.Secret`,
      { data: { a: "YR==", b: "", c: null, d: [97, 98], e: "YWI\n=" } },
      '{"metadata":{},"data":{"a":"YQ==","b":"","c":"","d":"YWI=","e":"YWI="}}',
    ],
    "null is nothing, in lists and maps too": [
      `${core}.ConfigMap`,
      { metadata: { finalizers: [null], labels: { a: null } } },
      '{"metadata":{"labels":{"a":""},"finalizers":[""]}}',
    ],
    "a key of any name is a key": [
      `${core}.ConfigMap`,
      { data: JSON.parse('{"__proto__":"x"}') },
      '{"metadata":{},"data":{"__proto__":"x"}}',
    ],
    "half of a pair is no character": [
      `${core}.ConfigMap`,
      { data: { a: "\ud800" } },
      '{"metadata":{},"data":{"a":"\ufffd"}}',
    ],
    "schemas may be lists, names and booleans": [
      `${apiextensions}.CustomResourceDefinition`,
      {
        spec: {
          versions: [
            {
              schema: {
                openAPIV3Schema: {
                  items: [{ type: "string" }],
                  additionalProperties: false,
                  dependencies: { a: ["b"], c: { type: "object" } },
                  default: { any: null },
                },
              },
            },
          ],
        },
      },
      '{"metadata":{},"spec":{"group":"","names":{"plural":"","kind":""},"scope":"","versions":[{"name":"","served":false,"storage":false,"schema":{"openAPIV3Schema":{"default":{"any":null},"items":[{"type":"string"}],"additionalProperties":false,"dependencies":{"a":["b"],"c":{"type":"object"}}}}}]},"status":{"conditions":null,"acceptedNames":{"plural":"","kind":""},"storedVersions":null}}',
    ],
  };
  for (const [name, [goType, value, written]] of Object.entries(cases)) {
    test(name, () => {
      assert.equal(read(goType, value), written);
      assert.equal(read(goType, JSON.parse(written)), written);
    });
  }
});

describe("a value of another type is told as Go does", () => {
  const cases: Record<string, [goType: string, value: object, message: string]> = {
    "a string for a number": [
      "k8s.io/api/apps/v1.Deployment",
      { spec: { replicas: "2" } },
      "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
    ],
    "a number that does not fit": [
      "k8s.io/api/apps/v1.Deployment",
      { spec: { replicas: 2147483648 } },
      "json: cannot unmarshal number 2147483648 into Go struct field DeploymentSpec.spec.replicas of type int32",
    ],
    "a number in a map of strings": [
      `${core}.ConfigMap`,
      { data: { a: 1 } },
      "json: cannot unmarshal number into Go struct field ConfigMap.data of type string",
    ],
    "an object for a list of a struct": [
      `${core}.Pod`,
      { spec: { containers: {} } },
      "json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container",
    ],
    "a field that comes by an embedded struct": [
      `${core}.Pod`,
      { spec: { volumes: [{ configMap: { name: true } }] } },
      "json: cannot unmarshal bool into Go struct field ConfigMapVolumeSource.spec.volumes.configMap.name of type string",
    ],
    "a value that reads itself goes before": [
      `${core}.Pod`,
      { kind: 1, spec: { containers: [{ resources: { limits: { cpu: "much" } } }] } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    "no time": [
      `${core}.ConfigMap`,
      { metadata: { creationTimestamp: "now" } },
      'parsing time "now" as "2006-01-02T15:04:05Z07:00": cannot parse "now" as "2006"',
    ],
    "a number for a time": [
      `${core}.ConfigMap`,
      { metadata: { creationTimestamp: 1 } },
      "json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string",
    ],
    "a port that is neither": [
      `${core}.Service`,
      { spec: { ports: [{ targetPort: 1.5 }] } },
      "json: cannot unmarshal number 1.5 into Go struct field ServicePort.spec.ports.targetPort of type int32",
    ],
    "no base64": [`${core}.Secret`, { data: { a: "YQ=" } }, "illegal base64 data at input byte 3"],
    "no schema": [
      `${apiextensions}.CustomResourceDefinition`,
      { spec: { versions: [{ schema: { openAPIV3Schema: { additionalProperties: 1 } } }] } },
      "boolean or JSON schema expected",
    ],
  };
  for (const [name, [goType, value, message]] of Object.entries(cases)) {
    test(name, () =>
      assert.throws(() => read(goType, value), { code: "UndecodableBody", message }),
    );
  }
});

describe("a number is read by how it was written", () => {
  const decode = (goType: string, path: readonly string[], text: string) => {
    const literals = new WeakMap<object, Map<string, string>>();
    const value = path.reduceRight<unknown>((inner, key) => {
      const holder = { [key]: inner };
      if (typeof inner === "number") literals.set(holder, new Map([[key, text]]));
      return holder;
    }, JSON.parse(text));
    return typedDecoder(goType)(value as never, literals).object;
  };
  const cases: Record<string, [goType: string, path: string[], text: string, message: string]> = {
    "one with a point is no integer": [
      "k8s.io/api/apps/v1.Deployment",
      ["spec", "replicas"],
      "1.0",
      "json: cannot unmarshal number 1.0 into Go struct field DeploymentSpec.spec.replicas of type int32",
    ],
    "nor is one with an exponent": [
      `${core}.Pod`,
      ["spec", "activeDeadlineSeconds"],
      "1e3",
      "json: cannot unmarshal number 1e3 into Go struct field PodSpec.spec.activeDeadlineSeconds of type int64",
    ],
    "nor one that 64 bits do not hold": [
      `${core}.Pod`,
      ["spec", "activeDeadlineSeconds"],
      "9223372036854775808",
      "json: cannot unmarshal number 9223372036854775808 into Go struct field PodSpec.spec.activeDeadlineSeconds of type int64",
    ],
  };
  for (const [name, [goType, path, text, message]] of Object.entries(cases)) {
    test(name, () => assert.throws(() => decode(goType, [...path], text), { message }));
  }
  test("a quantity is taken as it stands", () => {
    const path = ["spec", "resources", "requests", "cpu"];
    assert.deepEqual(decode(`${core}.PersistentVolumeClaim`, path, "1.50"), {
      metadata: {},
      spec: { resources: { requests: { cpu: "1500m" } } },
      status: {},
    });
  });
});

test("unknown fields are told by their paths, and dropped", () => {
  const pod = {
    Kind: "Pod",
    spec: { containers: [{}, { env: [{ naem: 1 }] }], nodeSelector: { any: "key" } },
    metadata: { labels: {}, annotation: {} },
  };
  assert.deepEqual(unknownFields(`${core}.Pod`, pod), [
    "Kind",
    "spec.containers[1].env[0].naem",
    "metadata.annotation",
  ]);
  assert.ok(!read(`${core}.Pod`, pod).includes("naem"));
});

test("nobody looks for unknown fields in what reads itself", () => {
  const openAPIV3Schema = { typo: 1, items: { typo: 1 }, properties: { a: { typo: 1 } } };
  const value = { spec: { versions: [{ schema: { openAPIV3Schema } }] } };
  assert.deepEqual(unknownFields(`${apiextensions}.CustomResourceDefinition`, value), [
    "spec.versions[0].schema.openAPIV3Schema.typo",
    "spec.versions[0].schema.openAPIV3Schema.properties.a.typo",
  ]);
});

test("defaults are filled into an object that nobody else has", () => {
  const value = { metadata: { labels: { a: "b" } } };
  const decode = typedDecoder(`${core}.ConfigMap`, ({ metadata }) => {
    Object.assign(metadata.labels ?? {}, { filled: "in" });
  });
  const { object } = decode(value as never);
  assert.deepEqual(object, { metadata: { labels: { a: "b", filled: "in" } } });
  assert.deepEqual(value, { metadata: { labels: { a: "b" } } });
});

test("what defaults fill in comes where its type has it", () => {
  const decode = typedDecoder("k8s.io/api/apps/v1.Deployment", (object) => {
    const { spec } = object as unknown as {
      spec: { template: { spec: { containers: object[] } } };
    };
    const [container] = spec.template.spec.containers;
    Object.assign(spec, { replicas: 1 });
    Object.assign(container ?? {}, { imagePullPolicy: "Always", terminationMessagePath: "/x" });
  });
  const { object } = decode({ spec: { template: { spec: { containers: [{ name: "c" }] } } } });
  assert.equal(
    JSON.stringify(object),
    '{"metadata":{},"spec":{"replicas":1,"selector":null,"template":{"metadata":{},"spec":{"containers":[{"name":"c","resources":{},"terminationMessagePath":"/x","imagePullPolicy":"Always"}]}},"strategy":{}},"status":{}}',
  );
});

test("a type that the generator left out is refused", () => {
  assert.throws(() => typedDecoder("k8s.io/api/apps/v1.Nothing"), UnknownTypeError);
});
