/** As much of a CRD as the rows change. */
export interface Crd {
  apiVersion: string;
  kind: "CustomResourceDefinition";
  metadata: { name: string; annotations?: Record<string, string> };
  spec: Spec;
  status?: object;
}

interface Spec {
  group: string;
  scope?: string;
  names: Record<string, string | string[]>;
  versions: Version[];
  conversion?: object;
  preserveUnknownFields?: boolean;
}

interface Version {
  name: string;
  served: boolean;
  storage: boolean;
  schema?: { openAPIV3Schema?: Record<string, unknown> };
  deprecated?: boolean;
  deprecationWarning?: string;
  additionalPrinterColumns?: object[];
  selectableFields?: object[];
  subresources?: object;
}

type Change = (crd: Crd) => void;

const group = "rows.rookery.example.com";

/** A CRD that nothing is wrong with. */
export function goodCrd(): Crd {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: {
                  type: "object",
                  properties: {
                    size: { type: "integer" },
                    color: { type: "string", format: "hexcolor" },
                    labels: { type: "object", additionalProperties: { type: "string" } },
                  },
                },
              },
            },
          },
        },
      ],
    },
  };
}

/** The same under another name: tests that store it keep apart by it. */
export function goodCrdOf(plural: string, kind: string): Crd {
  const crd = goodCrd();
  crd.metadata = { name: `${plural}.${group}` };
  crd.spec.names = { plural, kind };
  return crd;
}

export function changed(crd: Crd, change: Change): Crd {
  const copy = structuredClone(crd);
  change(copy);
  return copy;
}

const spec = (change: (spec: Spec) => void): Change => {
  return (crd) => change(crd.spec);
};
const version = (change: (version: Version) => void): Change => {
  return spec(({ versions }) => versions[0] && change(versions[0]));
};
const names = (change: Spec["names"]): Change => {
  return spec((each) => {
    each.names = { ...each.names, ...change };
  });
};
const second = (change: Partial<Version>): Change => {
  return spec((each) => {
    const [first] = each.versions;
    if (!first) return;
    each.versions = [first, { ...first, name: "v2", storage: false, ...change }];
  });
};
const conversion = (value: object): Change => {
  return spec((each) => {
    each.conversion = value;
  });
};
const webhook = (clientConfig: object, conversionReviewVersions: string[] = ["v1"]): Change =>
  conversion({ strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions } });

/** Each a change of the good one; what becomes of it is for the server to say. */
export const createRows: Readonly<Record<string, Change>> = {
  "nothing changed": () => {},
  "another name": (crd) => {
    crd.metadata = { name: "widgets.example.com" };
  },
  "no group": spec((each) => {
    each.group = "";
  }),
  "a group with capitals": spec((each) => {
    each.group = "Example.com";
  }),
  "a group without a dot": (crd) => {
    crd.metadata = { name: "widgets.example" };
    crd.spec.group = "example";
  },
  "a scope that is none": spec((each) => {
    each.scope = "Galaxy";
  }),
  "no scope": spec((each) => {
    delete each.scope;
  }),
  "no kind": names({ kind: "" }),
  "a bad kind": names({ kind: "Bad Kind" }),
  "a list kind that is the kind": names({ listKind: "Widget" }),
  "bad short names and categories": names({ shortNames: ["ok", "Not_OK"], categories: ["X"] }),
  "a bad singular": names({ singular: "Widget" }),
  "no versions": spec((each) => {
    each.versions = [];
  }),
  "a bad name of a version": version((each) => {
    each.name = "V1";
  }),
  "no schema": version((each) => {
    delete each.schema;
  }),
  "an empty schema": version((each) => {
    each.schema = {};
  }),
  "two versions with the same name": second({ name: "v1" }),
  "two versions that differ with the same name": second({
    name: "v1",
    schema: { openAPIV3Schema: { type: "object", description: "another" } },
  }),
  "two versions that are stored": second({ storage: true }),
  "no version that is stored": version((each) => {
    each.storage = false;
  }),
  "a schema that is not structural": version((each) => {
    each.schema = { openAPIV3Schema: { type: "object", properties: { spec: {} } } };
  }),
  "a schema that is not structural in one of two versions": second({
    schema: { openAPIV3Schema: { type: "object", properties: { spec: {} } } },
  }),
  "a default that does not fit": version((each) => {
    each.schema = {
      openAPIV3Schema: {
        type: "object",
        properties: { spec: { type: "integer", default: "one" } },
      },
    };
  }),
  "a rule that does not compile": version((each) => {
    each.schema = {
      openAPIV3Schema: {
        type: "object",
        properties: {
          spec: { type: "string", "x-kubernetes-validations": [{ rule: "self.x == 1" }] },
        },
      },
    };
  }),
  preserveUnknownFields: spec((each) => {
    each.preserveUnknownFields = true;
  }),
  "preserveUnknownFields with a default": (crd) => {
    if (!crd.spec.versions[0]) return;
    crd.spec.preserveUnknownFields = true;
    crd.spec.versions[0].schema = {
      openAPIV3Schema: { type: "object", properties: { spec: { type: "string", default: "x" } } },
    };
  },
  "a deprecation warning of a version that is not deprecated": version((each) => {
    each.deprecationWarning = "gone soon";
  }),
  "a deprecation warning that is empty": version((each) => {
    each.deprecated = true;
    each.deprecationWarning = "";
  }),
  "a deprecation warning with a line break": version((each) => {
    each.deprecated = true;
    each.deprecationWarning = "a\nb";
  }),
  "a deprecation warning that is too long": version((each) => {
    each.deprecated = true;
    each.deprecationWarning = "x".repeat(257);
  }),
  "columns with all that can be wrong": version((each) => {
    each.additionalPrinterColumns = [
      { name: "", type: "", jsonPath: "" },
      { name: "a", type: "text", jsonPath: "spec" },
      { name: "b", type: "string", format: "none", jsonPath: ".spec" },
    ];
  }),
  "columns of one of two versions": second({
    additionalPrinterColumns: [{ name: "a", type: "text", jsonPath: ".x" }],
  }),
  "a scale without paths": version((each) => {
    each.subresources = { scale: {} };
  }),
  "a scale with bad paths": version((each) => {
    each.subresources = {
      scale: { specReplicasPath: ".status.x", statusReplicasPath: "x", labelSelectorPath: ".x" },
    };
  }),
  "a status with a root that has oneOf": version((each) => {
    each.subresources = { status: {} };
    if (each.schema?.openAPIV3Schema) each.schema.openAPIV3Schema.nullable = true;
  }),
  "selectable fields that are good": version((each) => {
    each.selectableFields = [{ jsonPath: ".spec.color" }, { jsonPath: ".spec.size" }];
  }),
  "selectable fields with all that can be wrong": version((each) => {
    each.selectableFields = [
      ...[
        "",
        ".spec",
        ".spec.color",
        ".spec.color",
        ".spec.nothing",
        "spec.color",
        ".spec['color']",
      ],
      ...[".metadata.name", ".spec.labels.x", "."],
    ].map((jsonPath) => ({ jsonPath }));
  }),
  "a conversion by nothing": conversion({ strategy: "Magic" }),
  "a conversion without a strategy": conversion({ strategy: "" }),
  "a webhook with strategy None": conversion({
    strategy: "None",
    webhook: { clientConfig: { url: "https://x" }, conversionReviewVersions: ["v1"] },
  }),
  "a webhook that is nowhere": webhook({}),
  "no webhook": conversion({ strategy: "Webhook" }),
  "a webhook in two places": webhook({ url: "https://x", service: { name: "a", namespace: "b" } }),
  "a webhook by a bad URL": webhook({ url: "http://me:too@x/y?z#w" }),
  "a webhook by what is no URL": webhook({ url: "https://[::1" }),
  "a webhook by a URL without a host": webhook({ url: "https:///x" }),
  "a webhook by a bad Service": webhook({
    service: { name: "", namespace: "", port: 70000, path: "x//Y" },
  }),
  "a webhook by half a Service": webhook({ service: { name: "a", path: "//" } }),
  "a webhook with unknown versions": webhook({ url: "https://x" }, ["v9", "v9", "Bad"]),
  "a webhook without versions": webhook({ url: "https://x" }, []),
  "a webhook with a bad bundle": webhook({ url: "https://x", caBundle: "bm9uZQ==" }),
  "a group of Kubernetes without approval": (crd) => {
    crd.metadata = { name: "widgets.rookery.k8s.io" };
    crd.spec.group = "rookery.k8s.io";
  },
  "a group of Kubernetes with a bad approval": (crd) => {
    crd.metadata = {
      name: "widgets.rookery.k8s.io",
      annotations: { "api-approved.kubernetes.io": "because" },
    };
    crd.spec.group = "rookery.k8s.io";
  },
  "a group of Kubernetes with an approval": (crd) => {
    crd.metadata = {
      name: "widgets.rookery.k8s.io",
      annotations: {
        "api-approved.kubernetes.io": "https://github.com/kubernetes/enhancements/pull/1",
      },
    };
    crd.spec.group = "rookery.k8s.io";
  },
  "a format that nobody knows": version((each) => {
    each.schema = {
      openAPIV3Schema: { type: "object", properties: { spec: { type: "string", format: "odd" } } },
    };
  }),
};

/** Each a change of one that is established. */
export const updateRows: Readonly<Record<string, Change>> = {
  "another scope": spec((each) => {
    each.scope = "Cluster";
  }),
  "another kind": names({ kind: "Gadget" }),
  "another plural": names({ plural: "gadgets" }),
  "another group": spec((each) => {
    each.group = "other.example.com";
  }),
  "a stored version that goes": version((each) => {
    each.name = "v2";
  }),
  "a second version that is stored from now on": spec((each) => {
    const [first] = each.versions;
    if (!first) return;
    each.versions = [
      { ...first, storage: false },
      { ...first, name: "v2" },
    ];
  }),
  "a bad bundle": webhook({ url: "https://x", caBundle: "bm9uZQ==" }),
  "preserveUnknownFields from now on": spec((each) => {
    each.preserveUnknownFields = true;
  }),
};
