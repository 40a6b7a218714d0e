import type { Image } from "@rookery/packaging";

/** The commands of busybox that are there by name, for pods and for `kubectl exec`. */
const commands = ["cat", "env", "hostname", "id", "ls", "nc", "ps", "sh", "sleep", "true", "wget"];

/** The image that pods of a test node sleep in; its sandbox as well. */
export const busyboxImageName = "rookery.dev/busybox:test";

/** A small image made of Debian's busybox-static; its default command sleeps. */
export function busyboxImage(busybox = "/bin/busybox"): Image {
  return {
    name: busyboxImageName,
    entries: [
      { path: "bin/busybox", source: busybox, mode: 0o755 },
      ...commands.map((name) => ({ path: `bin/${name}`, link: "busybox" })),
      { path: "tmp", folder: true, mode: 0o1777 },
    ],
    entrypoint: ["/bin/sleep", "2147483647"],
    env: { PATH: "/bin" },
  };
}
