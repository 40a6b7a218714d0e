import { setTimeout as delay } from "node:timers/promises";
import type { CommandIo } from "../command.ts";
import type { CommandConfig } from "../config/read-config.ts";
import { clusterTemplate } from "../generate/cluster-template.ts";
import { withClusterDefaults } from "../generate/cluster-variables.ts";
import type { Connection } from "../kube-flags.ts";
import { ReleaseSources } from "../releases/release-source.ts";

export interface HintTools {
  readonly io: CommandIo;
  readonly config: CommandConfig;
  readonly connection: Connection;
}

/** In the order in which they are tried: the one with the fewest requirements comes first. */
const flavors = ["light", undefined];

/** The limit for a hint, where releases can't be reached from here. */
const longestMs = 10_000;

/**
 * A command that makes a first cluster, found by reading its template as the command would. Without a
 * template, a command that lists providers.
 */
export async function clusterHint(providers: readonly string[], tools: HintTools): Promise<string> {
  if (providers.length === 0) {
    return "  rookery config repositories\n      the providers that can be named; rookery init --infrastructure adds one\n";
  }
  const over = new AbortController();
  const tooLong = delay(longestMs, undefined, { signal: over.signal }).catch(() => undefined);
  const found = await Promise.race([templateHint(providers, tools), tooLong]);
  over.abort();
  return (
    found ??
    "  rookery get providers\n      what is installed; no template for clusters was found\n"
  );
}

async function templateHint(
  providers: readonly string[],
  { io, config, connection }: HintTools,
): Promise<string | undefined> {
  const { namespace } = connection;
  await using sources = new ReleaseSources(config, io);
  for (const infrastructure of new Set(providers)) {
    for (const flavor of flavors) {
      const source = { infrastructure, ...(flavor && { flavor }) };
      const facts = { name: "first", namespace };
      const options = { io, config, sources, facts, isListed: true };
      const connect = () => Promise.resolve(connection);
      const found = await clusterTemplate(source, { ...options, connect }).catch(() => undefined);
      if (!found) continue;
      const given = withClusterDefaults(found.variables, facts, config.variable);
      const isOpen = given.some(
        (one) => one.default === undefined && config.variable(one.name) === undefined,
      );
      const words = `rookery generate cluster first --infrastructure ${infrastructure}${flavor ? ` --flavor ${flavor}` : ""}`;
      return isOpen
        ? `  ${words} --list-variables\n      the variables of your first cluster\n`
        : `  ${words} | kubectl apply -f -\n      your first cluster\n`;
    }
  }
  return undefined;
}
