import '../areas.ts'
import { allSettings } from '../config.ts'
import { type Command, parseArguments } from './command.ts'

const known = allSettings()
const width = Math.max(...known.map(({ name }) => name.length))
const settings = known.map(
  (setting) =>
    `  ${setting.name.padEnd(width)}  ${setting.about.replaceAll('`', '')}${setting.default && ` (${setting.default})`}`
)

export const serve: Command = {
  name: 'serve',
  summary: 'Run the server until it is told to stop',
  help: `Usage: millrace serve

Runs the server, as 'npm start' does, until SIGTERM or SIGINT. Its first start prints a token to sign in with.

Settings, from the environment (defaults in brackets):
${settings.join('\n')}`,

  async run(args, env) {
    parseArguments({ args, options: {} })
    await (await import('../serve.ts')).serve(env)
    return 0
  }
}
