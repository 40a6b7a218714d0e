import { encodeEnvelope, WireWriter } from "@rookery/kube";
import { createGroupMapping } from "../../src/mapping/group-mapping.ts";

/** The real name is longer, so that lengths change with it. */
export const mapping = createGroupMapping([
  { virtual: "example.com", real: "a-real-and-longer-name.team1.org" },
]);

export const virtual = "stable.example.com";
export const real = "stable.a-real-and-longer-name.team1.org";

type Write = (message: WireWriter) => void;

/** A message. */
export function wire(write: Write): Uint8Array {
  const writer = new WireWriter();
  write(writer);
  return writer.finish();
}

/** An object in its envelope. */
export function envelope(apiVersion: string, kind: string, raw: Uint8Array | Write): Uint8Array {
  const message = typeof raw === "function" ? wire(raw) : raw;
  return encodeEnvelope({ typeMeta: { apiVersion, kind }, raw: message }).finish();
}

/** An object's metadata: a name and an owner of this apiVersion. */
export function ownedBy(apiVersion: string, name = "a"): Write {
  return (object) =>
    object.message(1, (metadata) =>
      metadata
        .string(1, name)
        .message(13, (owner) =>
          owner.string(1, "CronTab").string(3, "owner").string(4, "uid").string(5, apiVersion),
        ),
    );
}

/** A ConfigMap, small. */
export function configMap(owner: string): Uint8Array {
  return envelope("v1", "ConfigMap", ownedBy(owner));
}
