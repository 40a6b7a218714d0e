import type { Subject } from "./subject.ts";

const labels = { app: "bird" };
const template = {
  metadata: { labels },
  spec: { containers: [{ name: "main", image: "example/image:v1" }] },
};

/** Kinds of each sort: with and without namespace, status, scale; compiled in and custom. */
export const subjects: readonly Subject[] = [
  {
    name: "a ConfigMap",
    ...{ apiVersion: "v1", kind: "ConfigMap", plural: "configmaps", namespaced: true },
    custom: false,
    content: { data: { one: "1", two: "2" } },
    change: { data: { two: "zwei", three: "3" } },
    pointer: "/data/one",
    otherValue: "eins",
    bad: {
      "a key with a slash": { data: { "a/b": "c" } },
      "a value that is a number": { data: { one: 1 } },
    },
  },
  {
    name: "a Secret",
    ...{ apiVersion: "v1", kind: "Secret", plural: "secrets", namespaced: true },
    custom: false,
    content: { type: "Opaque", data: { one: "MQ==" } },
    change: { stringData: { two: "zwei" } },
    pointer: "/data/one",
    otherValue: "ZWlucw==",
    bad: {
      "a type that changes": { type: "kubernetes.io/tls" },
      "no base64": { data: { one: "%" } },
    },
  },
  {
    name: "a Service",
    ...{ apiVersion: "v1", kind: "Service", plural: "services", namespaced: true },
    custom: false,
    status: { good: { loadBalancer: {} } },
    content: { spec: { clusterIP: "None", selector: labels, ports: [{ name: "web", port: 80 }] } },
    change: { spec: { ports: [{ name: "web", port: 81, protocol: "TCP" }] } },
    pointer: "/spec/ports/0/port",
    otherValue: 8080,
    bad: {
      "a port that is too high": { spec: { ports: [{ port: 70_000 }] } },
      "an unknown type": { spec: { type: "Nest" } },
    },
  },
  {
    name: "a Deployment",
    ...{ apiVersion: "apps/v1", kind: "Deployment", plural: "deployments", namespaced: true },
    custom: false,
    status: { good: { replicas: 1, updatedReplicas: 1 } },
    scale: true,
    content: { spec: { replicas: 0, paused: true, selector: { matchLabels: labels }, template } },
    change: { spec: { minReadySeconds: 5 } },
    pointer: "/spec/replicas",
    otherValue: 3,
    bad: {
      "a negative number of replicas": { spec: { replicas: -1 } },
      "another selector": { spec: { selector: { matchLabels: { app: "fish" } } } },
      "a text for a number": { spec: { replicas: "many" } },
      "a container without a name": {
        spec: { template: { spec: { containers: [{ image: "x" }] } } },
      },
    },
  },
  {
    name: "a ClusterRole",
    ...{
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      plural: "clusterroles",
      namespaced: false,
    },
    custom: false,
    content: { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] },
    change: { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] }] },
    pointer: "/rules/0/verbs/0",
    otherValue: "watch",
    bad: { "a rule without verbs": { rules: [{ apiGroups: [""], resources: ["pods"] }] } },
  },
  {
    name: "a PriorityClass",
    ...{
      apiVersion: "scheduling.k8s.io/v1",
      kind: "PriorityClass",
      plural: "priorityclasses",
      namespaced: false,
    },
    custom: false,
    content: { value: 10, description: "low" },
    change: { description: "rather low" },
    pointer: "/description",
    otherValue: "high",
    bad: {
      "another value": { value: 11 },
      "an unknown preemption policy": { preemptionPolicy: "Now" },
    },
  },
  {
    name: "a custom kind with a status",
    ...{
      apiVersion: "conformance.rookery.dev/v1",
      kind: "Widget",
      plural: "widgets",
      namespaced: true,
    },
    custom: true,
    status: { good: { replicas: 2, phase: "Ready" } },
    scale: true,
    content: { spec: { size: 3, parts: [{ name: "a", count: 1 }] } },
    change: { spec: { size: 4 } },
    pointer: "/spec/size",
    otherValue: 5,
    bad: {
      "a size that is too large": { spec: { size: 100 } },
      "a text for a number": { spec: { size: "three" } },
      "a rule that is broken": { spec: { size: 7, forbidden: 7 } },
      "a size that shrinks": { spec: { size: 1 } },
    },
  },
  {
    name: "a custom kind without a namespace or a status",
    ...{
      apiVersion: "conformance.rookery.dev/v1",
      kind: "Plain",
      plural: "plains",
      namespaced: false,
    },
    custom: true,
    content: { colour: "red", status: { phase: "x" } },
    change: { colour: "blue" },
    pointer: "/colour",
    otherValue: "green",
    bad: { "a colour that is none": { colour: "loud" } },
  },
];
