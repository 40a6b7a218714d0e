import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { ensureGoProgram, runCommand, UnavailableError } from "@rookery/testing";

const module = (name: string) => fileURLToPath(new URL(`./go/${name}`, import.meta.url));

/** What tests need from elsewhere, or why it cannot be had. */
type Found<T> = { readonly value: T } | { readonly skip: string };

/** A suite that needs something from elsewhere; where it cannot be had, a test that says why it did not run. */
export function describeWith<T>(title: string, found: Found<T>, suite: (value: T) => void): void {
  if ("value" in found) describe(title, () => suite(found.value));
  else test(title, { skip: found.skip }, () => {});
}

/** An ordinary controller-runtime app, whose sources are in go/aviary and its manifests in inject-app.yaml. */
export function findAviary(): Promise<Found<string>> {
  return find(() => ensureGoProgram(module("aviary")));
}

const argo = "github.com/argoproj/argo-rollouts";

/** The controller and the install.yaml of the argo-rollouts that go/argo-rollouts pins. */
export function findRollouts(): Promise<Found<{ controller: string; manifests: string }>> {
  return find(async () => ({
    manifests: await rolloutsManifests(),
    controller: await ensureGoProgram(module("argo-rollouts")),
  }));
}

/** The install.yaml alone, which needs no build. */
export function findRolloutsManifests(): Promise<Found<string>> {
  return find(rolloutsManifests);
}

async function rolloutsManifests(): Promise<string> {
  const options = { cwd: module("argo-rollouts"), env: { ...process.env, GOWORK: "off" } };
  const printed = await runCommand("go", ["mod", "download", "-json", argo], options).catch(
    (cause: unknown) => {
      const remedy = "install Go 1.26 or newer, and see whether its module proxy can be reached";
      throw new UnavailableError("argo-rollouts", { reason: String(cause), remedy, cause });
    },
  );
  return `${(JSON.parse(printed) as { Dir: string }).Dir}/manifests/install.yaml`;
}

async function find<T>(get: () => Promise<T>): Promise<Found<T>> {
  try {
    return { value: await get() };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { skip: `NOT RUN: ${error.message}` };
  }
}
