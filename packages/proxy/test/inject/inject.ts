import { readFileSync } from "node:fs";
import { createGroupMapping } from "@rookery/group-suffix";
import { parse } from "yaml";
import { type Injected, injectProxy } from "../../src/inject/inject-proxy.ts";
import type { Manifest } from "../../src/inject/manifest.ts";
import type { InjectOptions } from "../../src/inject/plan.ts";
import { readManifestFile } from "../../src/inject/yaml/manifest-file.ts";

export const virtual = "aviary.example.com";
export const real = "aviary.team1.example.com";
export const mapping = createGroupMapping([{ virtual, real, match: "group" }]);
export const options: InjectOptions = {
  instance: "team1",
  namespace: "team1",
  mapping,
  image: "rookery:test",
};

/** The manifests of a whole app, as its authors would publish them. */
export function appText(): string {
  return readFileSync(new URL("../inject-app.yaml", import.meta.url), "utf8");
}

export function appManifests(): readonly Manifest[] {
  return readManifestFile(appText()).documents as Manifest[];
}

/** Renders documents that are written as YAML, one a text. */
export function inject(texts: readonly string[], changes: Partial<InjectOptions> = {}): Injected {
  return injectProxy(
    texts.map((text) => parse(text)),
    { ...options, ...changes },
  );
}

/** The first rendered document. */
export function injectOne(texts: readonly string[], changes?: Partial<InjectOptions>): Manifest {
  return inject(texts, changes).documents[0] as Manifest;
}

// What a rendered document holds is known to the test alone.
// biome-ignore lint/suspicious/noExplicitAny: as above
export type Loose = any;

export const pod = (extra = "") => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: app, namespace: app-system}
spec:
  selector: {matchLabels: {app: app}}
  template:
    metadata: {labels: {app: app}}
    spec:
      serviceAccountName: app
      containers: [{name: manager, image: app, ports: [{name: hooks, containerPort: 9443}]}]
      ${extra}
`;
