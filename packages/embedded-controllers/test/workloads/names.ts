import type { Anything } from "./world.ts";

const random = "[bcdfghjklmnpqrstvwxz2456789]";

/** Names that are made of hashes and chance, and what stands for them in a comparison. */
export class Names {
  readonly #hashes = new Map<string, string>();

  /** A hash is known by the image of the template that it stands for. */
  learn({ metadata, spec, data }: Anything): void {
    const template = data?.spec?.template ?? spec?.template;
    const labels = metadata.labels ?? {};
    const hash =
      labels["pod-template-hash"] ??
      labels["controller-revision-hash"] ??
      labels["controller.kubernetes.io/hash"];
    if (hash === undefined || template === undefined) return;
    const [{ image, env = [] }] = template.spec.containers;
    const more = env.map(({ name }: Anything) => `+${name}`).join("");
    const restarted = template.metadata.annotations?.["kubectl.kubernetes.io/restartedAt"];
    this.#hashes.set(hash, `{${image}${more}${restarted ? " again" : ""}}`);
  }

  replace(text: string): string {
    let replaced = text;
    for (const [hash, token] of this.#hashes) replaced = replaced.replaceAll(hash, token);
    return replaced
      .replace(new RegExp(`-${random}{5}(?=["\\\\ ,]|$)`, "gm"), "-{x}")
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "{uid}")
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "{time}");
  }
}
