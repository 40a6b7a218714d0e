import { fileURLToPath } from "node:url";
import { ensureGoProgram, runCommand, UnavailableError } from "@rookery/testing";

const module = (name: string) => fileURLToPath(new URL(`./go/${name}`, import.meta.url));

/** What a test needs from elsewhere, or why it cannot be had. */
export type Found<T> = { readonly value: T } | { readonly skip: string };

/** An ordinary controller-runtime app, whose sources are in go/app and its manifests in inject-app.yaml. */
export function findAviary(): Promise<Found<string>> {
  return find(() => ensureGoProgram({ name: "aviary", module: module("app") }));
}

const argo = "github.com/argoproj/argo-rollouts";

/** The controller of the argo-rollouts that go/argo-rollouts pins. */
export function findRolloutsController(): Promise<Found<string>> {
  const program = { name: "rollouts-controller", module: module("argo-rollouts") };
  return find(() => ensureGoProgram({ ...program, package: `${argo}/cmd/rollouts-controller` }));
}

/** The install.yaml of that argo-rollouts. */
export function findRolloutsManifests(): Promise<Found<string>> {
  return find(async () => {
    const options = { cwd: module("argo-rollouts"), env: { ...process.env, GOWORK: "off" } };
    const printed = await runCommand("go", ["mod", "download", "-json", argo], options).catch(
      (cause: unknown) => {
        const remedy = "install Go 1.26 or newer, and see whether its module proxy can be reached";
        throw new UnavailableError("argo-rollouts", { reason: String(cause), remedy, cause });
      },
    );
    return `${(JSON.parse(printed) as { Dir: string }).Dir}/manifests/install.yaml`;
  });
}

async function find<T>(get: () => Promise<T>): Promise<Found<T>> {
  try {
    return { value: await get() };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return { skip: `NOT RUN: ${error.message}` };
  }
}
