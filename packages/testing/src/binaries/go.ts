import { UnavailableError } from "../errors.ts";
import { runCommand } from "../process/command.ts";

const minimum = { major: 1, minor: 25 };

/** The environment that every Go command here runs in: for this machine, from these modules alone. */
export function goEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { GOOS: _, GOARCH: __, ...rest } = env;
  return { ...rest, CGO_ENABLED: "0", GOWORK: "off" };
}

/** Throws UnavailableError unless there is a Go that can build what the tests need. */
export async function requireGo(
  what: string,
  remedy: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const version = await goVersion(env).catch((cause: unknown) => {
    const reason = isMissing(cause) ? "there is no go on PATH" : `go does not run: ${cause}`;
    throw new UnavailableError(what, { reason, remedy, cause });
  });
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(version) ?? [];
  const recent =
    Number(major) > minimum.major ||
    (Number(major) === minimum.major && Number(minor) >= minimum.minor);
  // A development toolchain has no number; it is newer than any that has one.
  if (version.startsWith("devel") || recent) return;
  const wanted = `${minimum.major}.${minimum.minor}`;
  throw new UnavailableError(what, { reason: `go is ${version}, older than ${wanted}`, remedy });
}

async function goVersion(env: NodeJS.ProcessEnv): Promise<string> {
  const printed = await runCommand("go", ["env", "GOVERSION"], { env: goEnvironment(env) });
  return printed.trim();
}

function isMissing(error: unknown): boolean {
  return (error as { cause?: { code?: string } }).cause?.code === "ENOENT";
}
