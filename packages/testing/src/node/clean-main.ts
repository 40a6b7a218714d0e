/** Undoes what a node did to its machine, after the run that started it was killed. */
import { noProgress } from "../progress.ts";
import { lockMachine, nodeJournal } from "./claim-machine.ts";
import { cleanNode } from "./clean.ts";

await using _ = await lockMachine(noProgress);
await cleanNode(nodeJournal());
