import type { BuiltInKind, KindContext } from "../declaration/kind.ts";
import { certificateSigningRequestKind } from "./certificate-signing-request.ts";

/** The kinds of certificates.k8s.io. */
export function certificatesKinds({ now }: Pick<KindContext, "now">): readonly BuiltInKind[] {
  return [certificateSigningRequestKind(now)] as unknown as readonly BuiltInKind[];
}
