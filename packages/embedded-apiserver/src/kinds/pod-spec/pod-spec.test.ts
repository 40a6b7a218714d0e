import assert from "node:assert/strict";
import { test } from "node:test";
import type { Deployment, PodSpec } from "@rookery/api";
import { deepCopy, fieldPath } from "@rookery/kube";
import { check, warner } from "../meta/rules.ts";
import { imageTag, podTemplateDefaults } from "./defaults.ts";
import { podTemplate } from "./validate-spec.ts";
import { podTemplateWarnings } from "./warnings.ts";

const container = { name: "app", image: "registry.example/app:1" };

function problemsOf(spec: PodSpec): string[] {
  const template = { spec: deepCopy(spec) as PodSpec };
  podTemplateDefaults(template);
  return check(podTemplate, template, { path: fieldPath("spec", "template") }).map(String);
}

test("a template with one container is filled in and valid", () => {
  const template = { spec: { containers: [{ ...container }] } as PodSpec };
  podTemplateDefaults(template);
  assert.deepEqual(template.spec, {
    containers: [
      {
        ...container,
        imagePullPolicy: "IfNotPresent",
        terminationMessagePath: "/dev/termination-log",
        terminationMessagePolicy: "File",
      },
    ],
    dnsPolicy: "ClusterFirst",
    restartPolicy: "Always",
    schedulerName: "default-scheduler",
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  });
  assert.deepEqual(check(podTemplate, template, { path: fieldPath("spec", "template") }), []);
});

test("volumes get their modes and types", () => {
  const template = {
    spec: {
      containers: [{ ...container }],
      volumes: [
        { name: "a" },
        { name: "b", configMap: { name: "b" } },
        { name: "c", hostPath: { path: "/c" } },
        { name: "d", projected: { sources: [{ serviceAccountToken: { path: "token" } }] } },
      ],
    } as PodSpec,
  };
  podTemplateDefaults(template);
  assert.deepEqual(template.spec.volumes, [
    { name: "a", emptyDir: {} },
    { name: "b", configMap: { name: "b", defaultMode: 420 } },
    { name: "c", hostPath: { path: "/c", type: "" } },
    {
      name: "d",
      projected: {
        sources: [{ serviceAccountToken: { path: "token", expirationSeconds: 3600 } }],
        defaultMode: 420,
      },
    },
  ]);
});

const images: Readonly<Record<string, string>> = {
  nginx: "latest",
  "nginx:1.27": "1.27",
  "localhost:5000/a/b": "latest",
  "localhost:5000/a/b:v1": "v1",
  [`a@sha256:${"0".repeat(64)}`]: "",
  "Not an image": "",
  "": "",
};
for (const [image, tag] of Object.entries(images)) {
  test(`the tag of ${image || "no image"} is ${tag || "none"}`, () => {
    assert.equal(imageTag(image), tag);
  });
}

const cases: Readonly<Record<string, readonly [PodSpec, readonly string[]]>> = {
  "no container": [{}, ["spec.template.spec.containers: Required value"]],
  "a container without a name and an image": [
    { containers: [{}] },
    [
      "spec.template.spec.containers[0].name: Required value",
      "spec.template.spec.containers[0].image: Required value",
    ],
  ],
  "two containers of one name": [
    { containers: [container, container] },
    ['spec.template.spec.containers[1].name: Duplicate value: "app"'],
  ],
  "a mount of a volume that is not there": [
    { containers: [{ ...container, volumeMounts: [{ name: "data", mountPath: "/data" }] }] },
    ['spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"'],
  ],
  "a variable with two sources": [
    {
      containers: [
        {
          ...container,
          env: [
            {
              name: "A",
              valueFrom: {
                fieldRef: { fieldPath: "metadata.name" },
                secretKeyRef: { name: "s", key: "k" },
              },
            },
          ],
        },
      ],
    },
    [
      'spec.template.spec.containers[0].env[0].valueFrom: Invalid value: "": may not have more than one field specified at a time',
    ],
  ],
  "a probe without a handler": [
    { containers: [{ ...container, livenessProbe: {} }] },
    ["spec.template.spec.containers[0].livenessProbe: Required value: must specify a handler type"],
  ],
  "an ephemeral container": [
    { containers: [container], ephemeralContainers: [{ name: "debug", image: "a" }] },
    [
      "spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template",
    ],
  ],
  "a restart policy that there is not": [
    { containers: [container], restartPolicy: "Sometimes" },
    [
      'spec.template.spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
    ],
  ],
};
for (const [name, [spec, expected]] of Object.entries(cases)) {
  test(`a template with ${name} is refused`, () => assert.deepEqual(problemsOf(spec), expected));
}

const warningsOf = warner<Deployment>({ spec: { template: podTemplateWarnings } });

test("odd templates are warned about", () => {
  const spec: PodSpec = {
    nodeSelector: { "beta.kubernetes.io/os": "linux" },
    terminationGracePeriodSeconds: -1,
    containers: [
      { ...container, ports: [{ containerPort: 80 }, { containerPort: 80 }] },
      { ...container, env: [{ name: "A" }, { name: "A", value: "$(A)b" }, { name: "A" }] },
    ],
  };
  assert.deepEqual(warningsOf({ spec: { template: { spec } } }), [
    'spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
    'spec.template.spec.containers[1].env[2]: hides previous definition of "A", which may be dropped when using apply',
    "spec.template.spec.containers[0].ports[1]: duplicate port definition with spec.template.spec.containers[0].ports[0]",
    "spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1",
  ]);
});
