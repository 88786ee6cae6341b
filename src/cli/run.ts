import { apply } from './apply.ts'
import { auditVerify } from './audit.ts'
import { backup } from './backup.ts'
import { type Command, Trouble, UsageError } from './command.ts'
import { diskForget } from './disk.ts'
import { doctor } from './doctor.ts'
import { restore } from './restore.ts'
import { serve } from './serve.ts'
import { token } from './token.ts'

const COMMANDS: readonly Command[] = [serve, token, auditVerify, doctor, backup, restore, diskForget, apply]

const WRONG_USAGE = 2

/** Runs what was typed after `millrace`; answers the exit code. */
export async function runCommandLine(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const asksForHelp = args.some((arg) => arg === '--help' || arg === '-h')
  const command = COMMANDS.find(({ name }) => startsWith(args, name.split(' ')))
  if (command === undefined) return answerWithoutCommand(args, asksForHelp)
  if (asksForHelp) {
    console.log(command.help)
    return 0
  }
  try {
    return await command.run(args.slice(command.name.split(' ').length), env)
  } catch (error) {
    if (!(error instanceof UsageError)) return explain(error)
    console.error(`${error.message}\n\n${command.help}`)
    return WRONG_USAGE
  }
}

function startsWith(args: readonly string[], words: readonly string[]): boolean {
  return words.every((word, index) => args[index] === word)
}

function answerWithoutCommand(args: readonly string[], asksForHelp: boolean): number {
  const [first, ...rest] = args.filter((arg) => arg !== '--help' && arg !== '-h')
  if (first === undefined || first === 'help') {
    const asked = COMMANDS.find(({ name }) => rest.length > 0 && startsWith(rest, name.split(' ')))
    console.log(asked?.help ?? overview())
    return 0
  }
  // `millrace audit --help`: the beginning of a command is enough for its help.
  const begun = COMMANDS.filter(({ name }) => name.split(' ')[0] === first)
  if (asksForHelp && begun.length > 0) {
    console.log(begun.map(({ help }) => help).join('\n\n'))
    return 0
  }
  console.error(`There is no command '${args.join(' ')}'.\n\n${overview()}`)
  return WRONG_USAGE
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length))
  const lines = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `Usage: millrace <command> [options]

Commands:
${lines.join('\n')}

'millrace <command> --help' tells more about one. Settings are read from the environment:
'millrace serve --help' lists them.`
}

async function explain(error: unknown): Promise<number> {
  const { ConfigError } = await import('../config.ts')
  const { FolderInUse } = await import('../engines/folder-lock.ts')
  const foreseen =
    error instanceof Trouble ||
    error instanceof ConfigError ||
    error instanceof FolderInUse ||
    // An error of the operating system (no space, no permission) is the operator's to mend, and its message says
    // enough.
    typeof (error as NodeJS.ErrnoException | null)?.syscall === 'string'
  console.error(foreseen ? (error as Error).message : error)
  return 1
}
