import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { controllerRevisionKind } from "./apps/controller-revision.ts";
import { leaseKind } from "./coordination/lease.ts";
import type { BuiltInKind } from "./declaration/kind.ts";
import { endpointSliceKind } from "./discovery/endpoint-slice.ts";
import { eventKind } from "./events/event.ts";
import { networkPolicyKind } from "./networking/network-policy.ts";
import { podDisruptionBudgetKind } from "./policy/pod-disruption-budget.ts";
import { priorityClassKind } from "./scheduling/priority-class.ts";
import { storageClassKind } from "./storage/storage-class.ts";

interface Row<T> {
  readonly object: T;
  readonly old?: T;
  readonly problems: readonly string[];
}

/** Objects as they are written, and what is said of them. */
function judges<T extends object>(kind: BuiltInKind<T>, rows: Readonly<Record<string, Row<T>>>) {
  describe(`${kind.kind}: of objects it is said`, () => {
    for (const [name, { object, old, problems }] of Object.entries(rows)) {
      it(name, () => {
        kind.defaults?.(object);
        if (old) kind.defaults?.(old);
        else kind.prepareForCreate?.(object);
        const found = old ? kind.validateUpdate?.(object, old) : kind.validate?.(object);
        assert.deepEqual(found?.map(String), problems);
      });
    }
  });
}

judges(leaseKind, {
  "nothing where they are in order": {
    object: { spec: { leaseDurationSeconds: 1 } },
    problems: [],
  },
  "that a duration is positive": {
    object: { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } },
    problems: [
      "spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0",
      "spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0",
    ],
  },
});

judges(priorityClassKind, {
  "nothing of a class of the system that is right": {
    object: { metadata: { name: "system-node-critical" }, value: 2_000_001_000 },
    problems: [],
  },
  "that a class of the system has its value": {
    object: { metadata: { name: "system-node-critical" }, value: 1 },
    problems: [
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: value of system-node-critical PriorityClass must be 2000001000",
    ],
  },
  "that a value stays": {
    object: { value: 2 },
    old: { value: 1 },
    problems: ["value: Forbidden: may not be changed in an update."],
  },
});

judges(storageClassKind, {
  "that a provisioner is needed": { object: {}, problems: ["provisioner: Required value"] },
  "that a topology is there once": {
    object: {
      provisioner: "p",
      allowedTopologies: [
        { matchLabelExpressions: [{ key: "a", values: ["x", "y"] }] },
        { matchLabelExpressions: [{ key: "a", values: ["y", "x"] }] },
      ],
    },
    problems: ['allowedTopologies[1].matchLabelExpressions: Duplicate value: ""'],
  },
  "that parameters stay": {
    object: { provisioner: "p", parameters: { a: "b" } },
    old: { provisioner: "p" },
    problems: ["parameters: Forbidden: updates to parameters are forbidden."],
  },
});

judges(podDisruptionBudgetKind, {
  "that one number is enough": {
    object: { spec: { minAvailable: 1, maxUnavailable: "5%" } },
    problems: [
      'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":"5%","UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
    ],
  },
  "that there is no more than all": {
    object: { spec: { maxUnavailable: "101%" } },
    problems: ['spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%'],
  },
});

judges(networkPolicyKind, {
  "that a peer is someone": {
    object: { spec: { ingress: [{ from: [{}] }] } },
    problems: ["spec.ingress[0].from[0]: Required value: must specify a peer"],
  },
  "that an exception lies within": {
    object: {
      spec: { egress: [{ to: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["11.0.0.0/16"] } }] }] },
    },
    problems: [
      'spec.egress[0].to[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
    ],
  },
  "each problem of a change twice, as by kube-apiserver": {
    object: { spec: { policyTypes: ["Sideways"] } },
    old: {},
    problems: [
      'spec.policyTypes[0]: Unsupported value: "Sideways": supported values: "Ingress", "Egress"',
      'spec.policyTypes[0]: Unsupported value: "Sideways": supported values: "Ingress", "Egress"',
    ],
  },
});

judges(endpointSliceKind({}), {
  "nothing of lists that are null": {
    object: { addressType: "IPv4", endpoints: null, ports: null } as never,
    problems: [],
  },
  "that addresses have the type of the slice": {
    object: { addressType: "IPv6", endpoints: [{ addresses: ["10.0.0.1"] }] },
    problems: ['endpoints[0].addresses: Invalid value: "10.0.0.1": must be an IPv6 address'],
  },
  "that a machine's own address is none": {
    object: { addressType: "IPv4", endpoints: [{ addresses: ["127.0.0.1"] }] },
    problems: [
      'endpoints[0].addresses[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ],
  },
  "nothing of endpoints that were there before": {
    object: { addressType: "IPv4", endpoints: [{ addresses: [] }] },
    old: { addressType: "IPv4", endpoints: [{ addresses: [] }] },
    problems: [],
  },
});

judges(controllerRevisionKind, {
  "that data is an object": {
    object: { data: [] },
    problems: ["data: Required value: data must be a valid JSON object"],
  },
  "that data stays": {
    object: { data: { a: 1 } },
    old: { data: { a: 2 } },
    problems: ['data: Invalid value: {"a":1}: field is immutable'],
  },
});

const event = {
  metadata: { namespace: "default" },
  eventTime: "2026-01-01T00:00:00.000000Z",
  reportingController: "c",
  reportingInstance: "i",
  action: "A",
  reason: "R",
  type: "Normal",
};

judges(eventKind, {
  "nothing where they are in order": { object: { ...event }, problems: [] },
  "that the fields of old events are empty": {
    object: { ...event, deprecatedCount: 1 },
    problems: ['count: Invalid value: "": needs to be unset'],
  },
  "that nothing changes but the series": {
    object: { ...event, series: { count: 1 }, regarding: { kind: "Pod" } },
    old: { ...event },
    problems: [
      'series.count: Invalid value: "": should be at least 2',
      "series.lastObservedTime: Required value",
      'involvedObject: Invalid value: {"Kind":"Pod","Namespace":"","Name":"","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable',
    ],
  },
});
