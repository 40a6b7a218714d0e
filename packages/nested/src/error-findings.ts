import { type ErrorsOf, errorGuard } from "@rookery/errors";
import { type Finding, isFalse } from "@rookery/kube";
import * as errors from "./errors.ts";

const isOwnError = errorGuard(errors);

/** The finding of each error of the provider; undefined of all other errors. */
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
      // A pod of the tenant chooses the words of its answer.
      return isFalse(
        "RequestFailed",
        "a member of etcd did not do what it was asked; the manager's log says more",
      );
  }
}
