import { type ErrorsOf, errorGuard } from "@rookery/errors";
import { type Finding, isFalse } from "@rookery/kube";
import * as errors from "./errors.ts";

const isOwnError = errorGuard(errors);

/** The finding of an error of the provider; undefined for other errors. */
export function findingOf(error: unknown): Finding | undefined {
  return isOwnError(error) ? findingOfOwn(error) : undefined;
}

function findingOfOwn(error: ErrorsOf<typeof errors>): Finding {
  switch (error.code) {
    case "Component":
    case "ControlPlane":
      return isFalse(error.reason, error.message);
    case "ServiceRange":
      return isFalse("CertificateUnsuitable", error.message);
    case "EtcdRequest":
      // The message may contain text of a pod of the tenant.
      return isFalse(
        "RequestFailed",
        "a request to a member of etcd failed; see the log of the manager",
      );
  }
}
