import { createGroupMapping } from "@rookery/group-suffix";
import { ManifestFileError } from "./errors.ts";
import {
  type InjectFlagValues,
  injectedScope,
  injectHelp,
  parseInjectFlags,
} from "./inject-flags.ts";
import { injectProxy } from "./inject-proxy.ts";
import type { InjectOptions } from "./plan.ts";
import { joinFiles, type ManifestFile, readManifestFile } from "./yaml/manifest-file.ts";

export interface InjectIo {
  /** Writes the manifests, or the help. */
  readonly write: (text: string) => void;
  /** Writes warnings. */
  readonly warn: (text: string) => void;
  readonly readFile: (path: string) => Promise<string>;
  readonly readInput: () => Promise<string>;
}

/**
 * Runs `rookery proxy inject`. Writes nothing after a failure. Rejects with FlagsError, with
 * ManifestFileError, and as `injectProxy`.
 */
export async function runInject(args: readonly string[], io: InjectIo): Promise<void> {
  const flags = parseInjectFlags(args);
  if (flags.help) return io.write(injectHelp());
  const files: ManifestFile[] = [];
  for (const path of [...flags.filename, ...flags.f]) files.push(await readFileAt(path, io));
  const { documents, warnings } = injectProxy(
    files.flatMap((file) => file.documents),
    optionsOf(flags),
  );
  let begin = 0;
  const texts = files.map((file) => {
    const end = begin + file.documents.length;
    const text = file.write(documents.slice(begin, end));
    begin = end;
    return text;
  });
  for (const warning of warnings) io.warn(`warning: ${warning}\n`);
  io.write(joinFiles(texts));
}

async function readFileAt(path: string, io: InjectIo): Promise<ManifestFile> {
  try {
    return readManifestFile(await (path === "-" ? io.readInput() : io.readFile(path)));
  } catch (cause) {
    throw new ManifestFileError(path === "-" ? "the input" : path, { cause });
  }
}

function optionsOf(flags: InjectFlagValues): InjectOptions {
  const { apiGroupSuffix, map, rule, name, namespace, image, webhookSecret } = flags;
  const pairs = [...apiGroupSuffix, ...map];
  return {
    instance: name,
    ...(pairs.length > 0 && { mapping: createGroupMapping(pairs) }),
    scope: injectedScope(flags),
    rules: rule,
    image,
    ...(namespace && { namespace }),
    ...(webhookSecret && { webhookSecret }),
  };
}
