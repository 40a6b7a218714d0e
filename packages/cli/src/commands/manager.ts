import type { CommandModule } from "../command.ts";
import { flagProgram } from "../flag-program.ts";
import type { OwnProvider } from "../own-providers.ts";

/** Runs the manager of one of Rookery's own providers until the process is asked to end. */
export function managerCommand({ name, manager }: OwnProvider): CommandModule["run"] {
  const { subject, examples, load } = manager;
  return flagProgram({
    description:
      `Runs ${subject}, until it is asked to end. Its manifests come from ` +
      `"rookery install ${name}".`,
    examples,
    run: async (args, write) => (await load())(args, write),
  });
}
