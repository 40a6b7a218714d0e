import type { KindContext } from "../kind.ts";
import { apiServiceKind } from "./api-service.ts";

export const apiregistrationKinds = (context: Pick<KindContext, "now">) => [
  apiServiceKind(context),
];
