import type { KindContext } from "../declaration/kind.ts";
import { apiServiceKind } from "./api-service.ts";

export const apiregistrationKinds = (context: Pick<KindContext, "now">) => [
  apiServiceKind(context),
];
