import type { Row } from "../../kind-differential.ts";

type Rows = Readonly<Record<string, Row>>;

const base64 = (text: string) => Buffer.from(text).toString("base64");
const mebibyte = "x".repeat(1024 * 1024);

export const configMapRows: Rows = {
  "an empty one": { object: {} },
  "data and binary data": { object: { data: { a: "1", b: "" }, binaryData: { c: base64("3") } } },
  "labels and annotations": {
    object: { metadata: { labels: { a: "b" }, annotations: { "Example.com/A": "c" } } },
  },
  "a key with a slash": { object: { data: { "a/b": "1" } } },
  "a key that leads up": { object: { data: { "..": "1" } } },
  "a key that begins with two dots": { object: { binaryData: { "..a": base64("1") } } },
  "a key that is too long": { object: { data: { ["k".repeat(254)]: "1" } } },
  "a key in both": { object: { data: { a: "1" }, binaryData: { a: base64("1") } } },
  "a mebibyte": { object: { data: { a: mebibyte } } },
  "more than a mebibyte": { object: { data: { a: mebibyte, b: "1" } } },
  "an immutable one": { object: { immutable: true, data: { a: "1" } } },
  "a name with capitals": { object: { metadata: { name: "Capital" } } },
  "a label with a bad value": { object: { metadata: { labels: { a: "not good!" } } } },
  "a label with a bad key": { object: { metadata: { labels: { "a/b/c": "x" } } } },
  "a finalizer of nobody": { object: { metadata: { finalizers: ["mine"] } } },
  "changed data": { object: { data: { a: "2" } }, old: { data: { a: "1" } } },
  "changed immutable data": {
    object: { immutable: true, data: { a: "2" } },
    old: { immutable: true, data: { a: "1" } },
  },
  "changed immutable binary data, no longer immutable": {
    object: { binaryData: { a: base64("2") } },
    old: { immutable: true, binaryData: { a: base64("1") } },
  },
  "new labels of an immutable one": {
    object: { immutable: true, data: { a: "1" }, metadata: { labels: { a: "b" } } },
    old: { immutable: true, data: { a: "1" } },
  },
};

const certificate = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

export const secretRows: Rows = {
  "an empty one": { object: {} },
  "text that becomes data": { object: { stringData: { a: "x", b: "" }, data: { a: base64("y") } } },
  "a key with a space": { object: { stringData: { "a b": "1" } } },
  "more than a mebibyte": { object: { stringData: { a: mebibyte, b: "1" } } },
  "a type of its own": { object: { type: "example.com/mine", stringData: { a: "1" } } },
  "a token without an account": { object: { type: "kubernetes.io/service-account-token" } },
  "dockercfg without its key": { object: { type: "kubernetes.io/dockercfg" } },
  "dockercfg that is no JSON": {
    object: { type: "kubernetes.io/dockercfg", stringData: { ".dockercfg": "{" } },
  },
  "dockerconfigjson without its key": { object: { type: "kubernetes.io/dockerconfigjson" } },
  "dockerconfigjson that is none": {
    object: { type: "kubernetes.io/dockerconfigjson", stringData: { ".dockerconfigjson": "no" } },
  },
  "dockerconfigjson that is a list": {
    object: { type: "kubernetes.io/dockerconfigjson", stringData: { ".dockerconfigjson": "[]" } },
  },
  dockerconfigjson: {
    object: { type: "kubernetes.io/dockerconfigjson", stringData: { ".dockerconfigjson": "{}" } },
  },
  "basic-auth with nothing": { object: { type: "kubernetes.io/basic-auth" } },
  "basic-auth with a password": {
    object: { type: "kubernetes.io/basic-auth", stringData: { password: "x" } },
  },
  "ssh-auth with nothing": { object: { type: "kubernetes.io/ssh-auth" } },
  "ssh-auth with an empty key": {
    object: { type: "kubernetes.io/ssh-auth", stringData: { "ssh-privatekey": "" } },
  },
  "ssh-auth": { object: { type: "kubernetes.io/ssh-auth", stringData: { "ssh-privatekey": "x" } } },
  "tls with nothing": { object: { type: "kubernetes.io/tls" } },
  "tls that is no PEM": {
    object: { type: "kubernetes.io/tls", stringData: { "tls.crt": "x", "tls.key": "y" } },
  },
  "tls without a PEM key": {
    object: { type: "kubernetes.io/tls", stringData: { "tls.crt": certificate, "tls.key": "y" } },
  },
  "tls with a key for a certificate": {
    object: {
      type: "kubernetes.io/tls",
      stringData: {
        "tls.crt": "-----BEGIN EC KEY-----\nMIIB\n-----END EC KEY-----\n",
        "tls.key": "y",
      },
    },
  },
  "changed data": { object: { stringData: { a: "2" } }, old: { stringData: { a: "1" } } },
  "a changed type": { object: { type: "example.com/b" }, old: { type: "example.com/a" } },
  "changed immutable data": {
    object: { immutable: true, stringData: { a: "2" } },
    old: { immutable: true, stringData: { a: "1" } },
  },
  "an immutable one that no longer is": {
    object: { stringData: { a: "1" } },
    old: { immutable: true, stringData: { a: "1" } },
  },
};

export const serviceAccountRows: Rows = {
  "an empty one": { object: {} },
  "secrets of which only names count": {
    object: {
      secrets: [{ name: "a", namespace: "b", kind: "Secret" }, {}],
      imagePullSecrets: [{ name: "c" }],
      automountServiceAccountToken: false,
    },
  },
  "an annotation that is deprecated": {
    object: { metadata: { annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } } },
  },
  "the annotation was there before": {
    object: { metadata: { annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } } },
    old: { metadata: { annotations: { "kubernetes.io/enforce-mountable-secrets": "true" } } },
  },
  "a name with capitals": { object: { metadata: { name: "Capital" } } },
};

export const namespaceRows: Rows = {
  "a new one": { object: {} },
  "finalizers of its own": { object: { spec: { finalizers: ["example.com/a"] } } },
  "a finalizer of nobody": { object: { spec: { finalizers: ["mine"] } } },
  "a finalizer that is no name": { object: { spec: { finalizers: ["a b/c"] } } },
  "a status that nobody reads": { object: { status: { phase: "Terminating" } } },
  "another name in the label": {
    object: { metadata: { labels: { "kubernetes.io/metadata.name": "other" } } },
  },
  "a name with dots": { object: { metadata: { name: "a.b" } } },
  "a name that is too long": { object: { metadata: { name: "n".repeat(64) } } },
};
