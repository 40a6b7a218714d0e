import { createHash, randomUUID } from "node:crypto";
import { access, mkdir, rename } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { ensureGoProgram, runCommand, UnavailableError } from "@rookery/testing";

const modules = join(import.meta.dirname, "go");

/** A program of test/go, built by Go once for this machine. Throws UnavailableError. */
export function goProgram(name: "judge" | "kustomize" | "registry"): Promise<string> {
  return ensureGoProgram(join(modules, name));
}

/** The folder of a module at a version, downloaded by Go. Throws UnavailableError. */
export async function goModule(module: string): Promise<string> {
  const printed = await go(["mod", "download", "-json", module], join(modules, "kustomize"));
  return (JSON.parse(printed) as { Dir: string }).Dir;
}

/** A file of this machine's cache, made where it is not there; two that make it at once both win. */
export async function keep(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const root = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const path = join(root, "rookery", "components", name);
  if (
    await access(path).then(
      () => true,
      () => false,
    )
  )
    return path;
  const staged = `${path}.${randomUUID()}`;
  await mkdir(dirname(path), { recursive: true });
  await make(staged);
  await rename(staged, path);
  return path;
}

export function digest(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex").slice(0, 16);
}

async function go(args: readonly string[], cwd: string): Promise<string> {
  const env = { ...process.env, CGO_ENABLED: "0", GOWORK: "off" };
  return runCommand("go", args, { cwd, env }).catch((cause: Error) => {
    const reason = cause.message.trim().split("\n").at(-1) ?? "";
    const remedy = "install Go 1.25 or newer, and let it reach a module proxy";
    throw new UnavailableError(`what go ${args[0]} makes`, { reason, remedy, cause });
  });
}

/** Why a test that needs Go is not run here; false where it can be. */
export async function withoutGo(): Promise<string | false> {
  return runCommand("go", ["env", "GOVERSION"]).then(
    () => false as const,
    () => "NOT RUN: there is no go on PATH; install Go 1.25 or newer",
  );
}
