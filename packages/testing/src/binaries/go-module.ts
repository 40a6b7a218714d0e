import { UnavailableError } from "../errors.ts";
import { runCommand } from "../process/command.ts";
import { goEnvironment, requireGo } from "./go.ts";
import { moduleFolder } from "./recipe.ts";

/**
 * The folder with the source of a Go module, downloaded by Go: at the version that it is asked for
 * ("sigs.k8s.io/cluster-api@v1.8.4"), or that go/cluster-api/go.mod pins. Throws UnavailableError.
 */
export async function goModuleSource(
  module: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const what = `the source of ${module}`;
  await requireGo(what, "install Go 1.25 or newer", env);
  const options = { cwd: moduleFolder("cluster-api"), env: goEnvironment(env) };
  const printed = await runCommand("go", ["mod", "download", "-json", module], options).catch(
    (cause: unknown) => {
      const remedy = "see whether the Go module proxy can be reached (go env GOPROXY)";
      throw new UnavailableError(what, { reason: String(cause), remedy, cause });
    },
  );
  return (JSON.parse(printed) as { Dir: string }).Dir;
}
