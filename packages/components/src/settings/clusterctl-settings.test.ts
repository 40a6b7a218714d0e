import assert from "node:assert/strict";
import { test } from "node:test";
import { noSettings, parseClusterctlSettings } from "./clusterctl-settings.ts";

const parse = (text: string) => parseClusterctlSettings(text, "clusterctl.yaml");

test("all that clusterctl's configuration says is taken", () => {
  const settings = parse(`
providers: [{name: my-infra, url: https://example.com/releases, type: InfrastructureProvider}]
overridesFolder: /somewhere
AWS_REGION: eu-west-1
cert-manager: {version: v1.0.0}
EXP_MACHINE_POOL: true
images:
  all: {repository: registry.example.com/mirror}
  cert-manager/cert-manager-cainjector: {tag: v1.21.0}
`);
  assert.deepEqual(settings, {
    imageOverrides: {
      all: { repository: "registry.example.com/mirror" },
      "cert-manager/cert-manager-cainjector": { tag: "v1.21.0" },
    },
    variables: { AWS_REGION: "eu-west-1", EXP_MACHINE_POOL: "true" },
    providers: [
      { kind: "InfrastructureProvider", name: "my-infra", url: "https://example.com/releases" },
    ],
    overridesFolder: "/somewhere",
    certManager: true,
  });
});

test("an empty file says nothing", () => {
  assert.deepEqual(parse(""), noSettings);
});

const wrong: Readonly<Record<string, readonly [text: string, why: RegExp]>> = {
  "what is no YAML": ["a: [", /could not use clusterctl\.yaml: it is no YAML/],
  "a list": ["[a]", /it is no YAML with a key for each setting/],
  "images in a list": ["images: [a]", /images has no key for each component/],
  "an image as text": ["images: {all: a}", /images\.all has no parts/],
  "a part that images do not have": [
    "images: {all: {registry: a}}",
    /images\.all\.registry is not one of repository, name, tag/,
  ],
  "providers that are no list": ["providers: a", /providers is no list/],
  "a provider without a url": [
    "providers: [{name: a, type: CoreProvider}]",
    /providers\[0\] has to have a name, a type and a url/,
  ],
  "a provider of no known type": [
    "providers: [{name: a, type: Other, url: b}]",
    /providers\[0\]\.type of a is not one of CoreProvider, /,
  ],
  "a tag that is a number": ["images: {all: {tag: 1.2}}", /images\.all\.tag is not one of/],
};
for (const [what, [text, why]] of Object.entries(wrong)) {
  test(`${what} is refused, with the place`, () => {
    assert.throws(() => parse(text), { code: "Settings", message: why });
  });
}
