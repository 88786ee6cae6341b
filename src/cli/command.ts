import { type ParseArgsConfig, parseArgs } from 'node:util'

/** One thing the command line can do. Its file is loaded for `--help`, so what is heavy is imported within `run`. */
export interface Command {
  /** What is typed after `millrace`, in one word or two. */
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** The usage line, then all further explanation. */
  readonly help: string
  /** Answers the exit code: 0 when done, 1 for trouble. Throws `UsageError` where the arguments are wrong. */
  run(args: string[], env: NodeJS.ProcessEnv): Promise<number>
}

/** The command was not typed as its help says. */
export class UsageError extends Error {}

/** Something is in the way; the message says what, and what to do about it. */
export class Trouble extends Error {}

/** `parseArgs` of Node, whose complaints are about usage. */
export function parseArguments<const T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
