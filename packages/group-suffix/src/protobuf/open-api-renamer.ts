import type { BodyRenamer } from "../body-renamer.ts";
import type { RenamerOptions } from "../rules/field-rule.ts";
import { WholeBody } from "../whole-body.ts";
import { openApiDocument } from "./messages/open-api.ts";
import { WalkerFactory } from "./walker-factory.ts";

/** Renames OpenAPI version 2 in Protobuf, which comes without the envelope of objects. */
export function createOpenApiRenamer(options: RenamerOptions): BodyRenamer {
  const walkers = new WalkerFactory(options);
  const rename = (bytes: Uint8Array): Uint8Array => {
    const walker = walkers.create(bytes, undefined);
    walker.message(openApiDocument, { start: 0, end: bytes.length });
    return walker.renamed ?? bytes;
  };
  return { rename, stream: () => new WholeBody("Protobuf", rename) };
}
