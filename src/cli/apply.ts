import { type Command, parseArguments, Trouble, UsageError } from './command.ts'
import { openIssuer } from './token.ts'

const TOKEN_MS = 10 * 60_000

export const apply: Command = {
  name: 'apply',
  summary: 'Make quality rules as a file says, or change those that differ',
  help: `Usage: millrace apply -f <file> [--dry-run] [--url <address>] [--token <token>]

Reads rules from a file of YAML or JSON, a list under 'qualityRules' with what POST /api/quality/rules takes, and makes
those that the server has no rule of that name for. Where a rule differs from the file, it is changed; fields that the file
leaves out stay as they are. The same file twice changes nothing, and rules that are in no file are left alone.
Exit code 0: the server has what the file says; 1: it does not.

  -f, --file <file>  The file
  --dry-run          Only say what would be done
  --url <address>    The server (http://HOST:PORT)
  --token <token>    A token or an API key; without it, one of the built-in issuer of this DATA_DIR`,

  async run(args, env) {
    const { values } = parseArguments({
      args,
      options: {
        file: { type: 'string', short: 'f' },
        'dry-run': { type: 'boolean', default: false },
        url: { type: 'string' },
        token: { type: 'string' }
      }
    })
    if (values.file === undefined) throw new UsageError('-f is needed: the file with the rules.')
    const { readConfig } = await import('../areas.ts')
    const { readRules } = await import('./apply/read-rules.ts')
    const { applyRules } = await import('./apply/apply-rules.ts')
    const { host, port } = readConfig(env)
    const rules = await readRules(values.file)
    const base = values.url ?? `http://${host}:${port}`
    if (!URL.canParse(base)) throw new UsageError('--url must be an address such as http://127.0.0.1:8080.')
    const token = values.token ?? (await issued(env))
    const outcome = await applyRules({ base, token, isDry: values['dry-run'], say: (line) => console.log(line) }, rules)
    if (outcome.refused > 0) throw new Trouble(`${outcome.refused} of ${rules.length} rules were refused.`)
    return 0
  }
}

async function issued(env: NodeJS.ProcessEnv): Promise<string> {
  const issuer = await openIssuer(env)
  return issuer.issue({ subject: 'millrace-apply', name: 'millrace apply', roles: ['editor'], ttlMs: TOKEN_MS })
}
