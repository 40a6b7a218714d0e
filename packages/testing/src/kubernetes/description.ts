import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { certificateFiles } from "./certificates.ts";

export interface Secrets {
  readonly ca: string;
  readonly caKey: string;
  readonly admin: { readonly certificate: string; readonly key: string };
}

export function pkiFolder(folder: string): string {
  return join(folder, "pki");
}

export async function readSecrets(folder: string): Promise<Secrets> {
  const files = certificateFiles(pkiFolder(folder));
  const [ca, caKey, certificate, key] = await Promise.all(
    [files.crt("ca"), files.key("ca"), files.crt("admin"), files.key("admin")].map((file) =>
      readFile(file, "utf8"),
    ),
  );
  return {
    ca: ca ?? "",
    caKey: caKey ?? "",
    admin: { certificate: certificate ?? "", key: key ?? "" },
  };
}
