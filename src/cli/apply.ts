import { type Command, parseArguments, Trouble, UsageError } from './command.ts'
import { openIssuer } from './token.ts'

const TOKEN_MS = 10 * 60_000

export const apply: Command = {
  name: 'apply',
  summary: 'Make quality rules and dashboards as a file says, or change those that differ',
  help: `Usage: millrace apply -f <file> [--dry-run] [--url <address>] [--token <token>]

Reads a file of YAML or JSON with a list under 'qualityRules', of what POST /api/quality/rules takes, a list under
'dashboards', of what POST /api/dashboards takes, or both. It makes what the server has none of that name of (for dashboards,
of that folder and name). Where something differs from the file, it is changed; fields that the file leaves out stay as they
are. The same file twice changes nothing, and what is in no file is left alone.
Exit code 0: the server has what the file says; 1: it does not.

  -f, --file <file>  The file
  --dry-run          Only say what would be done; the server checks rules as if they were made, but not dashboards
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
    if (values.file === undefined) throw new UsageError('-f is needed: the file with what is to be there.')
    const { readConfig } = await import('../areas.ts')
    const { readFileContent } = await import('./apply/read-file.ts')
    const { applyRules } = await import('./apply/apply-rules.ts')
    const { applyDashboards } = await import('./apply/apply-dashboards.ts')
    const { host, port } = readConfig(env)
    const { qualityRules, dashboards } = await readFileContent(values.file)
    const base = values.url ?? `http://${host}:${port}`
    if (!URL.canParse(base)) throw new UsageError('--url must be an address such as http://127.0.0.1:8080.')
    const token = values.token ?? (await issued(env))
    const server = { base, token, isDry: values['dry-run'], say: (line: string) => console.log(line) }
    let refused = 0
    if (qualityRules.length > 0) refused += (await applyRules(server, qualityRules)).refused
    if (dashboards.length > 0) refused += (await applyDashboards(server, dashboards)).refused
    const total = qualityRules.length + dashboards.length
    if (refused > 0) throw new Trouble(`${refused} of ${total} were refused.`)
    return 0
  }
}

async function issued(env: NodeJS.ProcessEnv): Promise<string> {
  const issuer = await openIssuer(env)
  return issuer.issue({ subject: 'millrace-apply', name: 'millrace apply', roles: ['editor'], ttlMs: TOKEN_MS })
}
