/** An APIService of this name and spec; what becomes of it is for the server to say. */
export interface ApiServiceRow {
  readonly name: string;
  readonly spec: object;
}

const good = {
  name: "v1.services.rookery.example.com",
  spec: {
    group: "services.rookery.example.com",
    version: "v1",
    groupPriorityMinimum: 1000,
    versionPriority: 15,
    service: { name: "a", namespace: "b" },
  },
};

const spec = (change: object): ApiServiceRow => ({ ...good, spec: { ...good.spec, ...change } });

export const apiServiceRows: Readonly<Record<string, ApiServiceRow>> = {
  "nothing changed": good,
  "one of this server": spec({ service: null }),
  "another name": { ...good, name: "v2.services.rookery.example.com" },
  "no group": { name: "v2.", spec: { ...good.spec, group: "", version: "v2" } },
  "a bad group and version": {
    name: "V1.Bad_group",
    spec: { ...good.spec, group: "Bad_group", version: "V1" },
  },
  "no priorities": spec({ groupPriorityMinimum: 0, versionPriority: 0 }),
  "priorities that are too high": spec({ groupPriorityMinimum: 20_001, versionPriority: 1001 }),
  "half a Service": spec({ service: { name: "", namespace: "", port: 70_000 } }),
  "a bundle that nobody looks at": spec({ insecureSkipTLSVerify: true, caBundle: "bm9uZQ==" }),
  "a bundle of this server": spec({
    service: null,
    insecureSkipTLSVerify: true,
    caBundle: "bm9uZQ==",
  }),
};
