import type { Scenario } from "@rookery/testing";
import { access } from "./access.ts";
import { badInput } from "./bad-input.ts";
import { creating } from "./creating.ts";
import { customScale } from "./custom-scale.ts";
import { deleting } from "./deleting.ts";
import { documents } from "./documents.ts";
import { lifecycle } from "./lifecycle.ts";
import { patching } from "./patching.ts";
import { paths } from "./paths.ts";
import { reading } from "./reading.ts";
import { subjects } from "./subjects.ts";
import { updating } from "./updating.ts";
import { watching } from "./watching.ts";
import { yamlNumbers } from "./yaml-numbers.ts";

/** Every verb on every subject, and what is special. */
export const scenarios: readonly Scenario[] = [
  ...[creating, reading, updating, patching, deleting, watching].flatMap((verb) =>
    subjects.map((subject) => verb(subject)),
  ),
  ...access,
  ...lifecycle,
  ...documents,
  ...badInput,
  ...paths,
  ...customScale,
  ...yamlNumbers,
];
