import { object } from "../../declaration/collections.ts";
import { optional, required } from "../../declaration/fields.ts";
import { boolean, string } from "../../declaration/scalars.ts";

/** What an object was last connected with. A status is written by the manager alone. */
export const connection = object({
  server: required(string({ maxLength: 253 }), "The vCenter."),
  as: required(
    string({ maxLength: 600 }),
    "Whose account was used: Controller, or the kind, the name and the UID of the identity.",
  ),
  kept: optional(
    boolean(),
    "Whether the server is used only because it was used before servers had to be listed.",
  ),
});
