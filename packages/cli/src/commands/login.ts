import { type LoginOptions, login } from "@rookery/concierge";
import { defineCommand } from "../define-command.ts";

/** The exec credential plugin of a kubeconfig whose users log in at a concierge. */
export const run = defineCommand<LoginOptions>({
  description:
    "Trades a token at a concierge for a client certificate and prints it as kubectl reads it. " +
    "The certificate is kept, for its user alone, until it expires.",
  examples: `  rookery login --authenticator-name corp --token-command get-my-token
  rookery login --authenticator-name corp --token-env ID_TOKEN --api-group-suffix team1.example.com

kubectl calls it where a user of a kubeconfig has it as "exec" (apiVersion client.authentication.k8s.io/v1).`,
  declare: (command) =>
    command
      .requiredOption("--authenticator-name <name>", "the authenticator that knows the token")
      .option("--authenticator-type <type>", "jwt or webhook", "jwt")
      .option(
        "--api-group-suffix <suffix>",
        "the API group suffix of the concierge",
        "pinniped.dev",
      )
      .option("--token <token>", "the token itself; others on the machine may see it")
      .option("--token-file <file>", "a file with the token")
      .option("--token-env <name>", "the environment variable with the token")
      .option("--token-command <command>", "a command that prints the token")
      .option("--server <url>", "the API server; kubectl's where absent")
      .option("--certificate-authority <file>", "its certificate authorities, with --server")
      .option("--cache-folder <folder>", "the folder in which certificates are kept"),
  async run(options, io) {
    const warn = (text: string) => io.writeError(`rookery: ${text}\n`);
    io.write(`${await login(options, { env: io.env, warn })}\n`);
  },
});
