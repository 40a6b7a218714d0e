import type { JSONObject, JSONSchemaProps } from "@rookery/schema";

/** A spec and a status, each with limits, rules and a default. */
export const statusSchema: JSONSchemaProps = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: { size: { type: "integer", minimum: 1, default: 1 } },
      "x-kubernetes-validations": [{ rule: "self.size < 100", message: "too large" }],
    },
    status: {
      type: "object",
      required: ["phase"],
      properties: {
        phase: { type: "string", enum: ["Pending", "Ready"] },
        ready: { type: "integer", minimum: 0, default: 0 },
        names: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
      },
      "x-kubernetes-validations": [
        { rule: "self.ready >= oldSelf.ready", message: "ready only grows" },
      ],
    },
  },
  "x-kubernetes-validations": [
    {
      rule: "!has(self.status) || self.status.ready <= self.spec.size",
      message: "no more may be ready than there are",
    },
  ],
};

interface StatusUpdate {
  readonly stored: JSONObject;
  readonly request: { readonly fields: JSONObject; readonly subresource?: "status" };
}

const stored = { spec: { size: 3 } };
const status = (fields: JSONObject): StatusUpdate => ({
  stored,
  request: { fields: { status: fields }, subresource: "status" },
});

/** Updates of one or the other, by what they are about. */
export const statusUpdates: Readonly<Record<string, StatusUpdate>> = {
  "a status that is fine": status({ phase: "Ready", ready: 2 }),
  "a status with a default": status({ phase: "Ready" }),
  "a status without what is required": status({ ready: 1 }),
  "a status of another phase": status({ phase: "Odd", ready: -1 }),
  "a status that is no object": {
    stored,
    request: { fields: { status: 5 }, subresource: "status" },
  },
  "a status with a name twice": status({ phase: "Ready", names: ["a", "a"] }),
  "a status that does not go with the spec": status({ phase: "Ready", ready: 5 }),
  "a status together with an invalid spec, which does not count": {
    stored,
    request: { fields: { status: { phase: "Ready" }, spec: { size: 0 } }, subresource: "status" },
  },
  "a spec together with an invalid status, which does not count": {
    stored,
    request: { fields: { spec: { size: 5 }, status: { phase: "Odd" } } },
  },
  "a spec that is invalid": { stored, request: { fields: { spec: { size: 0 } } } },
  "a status that is created with the rest and does not count": {
    stored: { spec: {}, status: { phase: "Odd" } },
    request: { fields: { spec: { size: 2 } } },
  },
};
