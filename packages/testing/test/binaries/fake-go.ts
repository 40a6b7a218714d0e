import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTemporaryFolder } from "../../src/process/temporary-folder.ts";

/** A go on a PATH of its own that builds tiny binaries and keeps a list of what it built. */
export interface FakeGo extends AsyncDisposable {
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  /** The packages that were built so far. */
  built(): Promise<string[]>;
  /** Makes the next builds do something else, as shell; `$output` and `$package` are set. */
  buildBy(script: string): Promise<void>;
}

const succeed = 'echo "binary of $package" > "$output"';

export async function createFakeGo(version = "go1.26.1"): Promise<FakeGo> {
  const temporary = await createTemporaryFolder("fake-go");
  const folder = temporary.path;
  const list = join(folder, "built");
  await mkdir(join(folder, "bin"));
  await writeFile(list, "");
  const buildBy = (script: string) => writeFile(join(folder, "build.sh"), script);
  await buildBy(succeed);
  await writeFile(
    join(folder, "bin", "go"),
    `#!/bin/sh
if [ "$1" = env ]; then echo ${version}; exit; fi
while [ "$1" != -o ]; do shift; done
output=$2 package=$3
echo "$package" >> ${list}
. ${folder}/build.sh
`,
  );
  await chmod(join(folder, "bin", "go"), 0o755);
  return {
    folder,
    env: { PATH: join(folder, "bin"), XDG_CACHE_HOME: join(folder, "cache") },
    built: async () => (await readFile(list, "utf8")).split("\n").filter(Boolean),
    buildBy,
    [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose](),
  };
}
