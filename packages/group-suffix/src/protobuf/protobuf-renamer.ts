import type { BodyRenamer, Target } from "../body-renamer.ts";
import type { RenamerOptions } from "../rules/field-rule.ts";
import { WholeBody } from "../whole-body.ts";
import { WalkerFactory } from "./walker-factory.ts";

/**
 * Renames API groups in objects that are encoded as Protobuf. A stream is held until its end: lengths
 * come first on the wire, and they change.
 */
export function createProtobufRenamer(options: RenamerOptions): BodyRenamer {
  const walkers = new WalkerFactory(options);
  const rename = (bytes: Uint8Array, target: Target | undefined): Uint8Array => {
    const walker = walkers.create(bytes, target);
    walker.envelope({ start: 0, end: bytes.length });
    return walker.renamed ?? bytes;
  };
  return {
    rename,
    stream: (target) => new WholeBody("Protobuf", (bytes) => rename(bytes, target)),
  };
}
