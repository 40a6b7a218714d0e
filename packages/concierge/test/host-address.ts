import { networkInterfaces } from "node:os";

/** An address of this machine that pods and endpoints can have: loopback is not one. */
export function hostAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const found = addresses.find(({ family, internal }) => family === "IPv4" && !internal);
  if (!found) throw new Error("could not find an address of this machine beside loopback");
  return found.address;
}
