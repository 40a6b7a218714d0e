import { join } from "node:path";
import { ensureGoProgram, runCommand } from "@rookery/testing";

/** A program of test/go, built by Go once for this machine. Throws UnavailableError. */
export function goProgram(name: "judge" | "registry"): Promise<string> {
  return ensureGoProgram(join(import.meta.dirname, "go", name));
}

/** Why a test that needs Go is not run here; false where it can be. */
export async function withoutGo(): Promise<string | false> {
  return runCommand("go", ["env", "GOVERSION"]).then(
    () => false as const,
    () => "NOT RUN: there is no go on PATH; install Go 1.25 or newer",
  );
}
