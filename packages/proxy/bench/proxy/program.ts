/** `rookery proxy`, for a bench. */
import { runProxy } from "@rookery/proxy";

await runProxy(process.argv.slice(2), console.log);
