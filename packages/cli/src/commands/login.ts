import { type LoginOptions, login } from "@rookery/concierge";
import type { CommandIo } from "../command.ts";
import { parseArguments } from "../parse-arguments.ts";

/** The exec credential plugin of a kubeconfig whose users log in at a concierge. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const options = parseArguments(args, io, (command) =>
    command
      .name("rookery login")
      .description(
        "Trades a token at a concierge for a client certificate and prints it as kubectl reads it. " +
          "The certificate is kept, for its user alone, until it expires.",
      )
      .requiredOption("--authenticator-name <name>", "the authenticator that knows the token")
      .option("--authenticator-type <type>", "jwt or webhook", "jwt")
      .option("--api-group-suffix <suffix>", "which concierge it is", "pinniped.dev")
      .option("--token <token>", "the token itself; others on the machine may see it")
      .option("--token-file <file>", "a file with the token")
      .option("--token-env <name>", "the environment variable with the token")
      .option("--token-command <command>", "a command that prints the token")
      .option("--server <url>", "the API server; kubectl's where absent")
      .option("--certificate-authority <file>", "its certificate authorities, with --server")
      .option("--cache-folder <folder>", "where certificates are kept"),
  ).opts<LoginOptions>();
  const warn = (text: string) => io.writeError(`rookery: ${text}\n`);
  io.write(`${await login(options, { env: io.env, warn })}\n`);
}
