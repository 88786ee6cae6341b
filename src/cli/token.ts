import { existsSync } from 'node:fs'
import { type Command, parseArguments, Trouble, UsageError } from './command.ts'

const ROLES = ['viewer', 'editor', 'admin'] as const
const UNIT_MS = { s: 1000, m: 60_000, h: 3600_000, d: 86_400_000 }
const MAX_TTL_MS = 365 * UNIT_MS.d
const MAX_USER_CHARS = 255

export const token: Command = {
  name: 'token',
  summary: 'Print a token to sign in with',
  help: `Usage: millrace token --user <name> [--name <full name>] [--role <role>] [--ttl <time>]

Prints a token of the built-in issuer, and nothing else. The server need not run, but must have started once on this
DATA_DIR, unless SECRET_KEY is set: tokens are signed with its secret.
Where an outside provider is configured (OIDC_ISSUER or JWKS_URL), tokens come from that provider alone.

  --user <name>       Who the token is for; the user is made when the token is first used
  --name <full name>  What to call them
  --role <role>       ${ROLES.join(', ')} (viewer)
  --ttl <time>        How long the token works: a number with s, m, h or d, 365d at most (8h)

Example: TOKEN=$(millrace token --user ada --name 'Ada L.' --role editor --ttl 30m)`,

  async run(args, env) {
    const { values } = parseArguments({
      args,
      options: {
        user: { type: 'string' },
        name: { type: 'string' },
        role: { type: 'string', default: 'viewer' },
        ttl: { type: 'string', default: '8h' }
      }
    })
    const { user, name } = values
    if (!user?.trim() || user.length > MAX_USER_CHARS) {
      throw new UsageError(`--user is needed, and has ${MAX_USER_CHARS} characters at most.`)
    }
    const role = ROLES.find((known) => known === values.role)
    if (role === undefined) throw new UsageError(`--role must be one of ${ROLES.join(', ')}.`)
    const ttlMs = parseTtl(values.ttl)
    const issuer = await openIssuer(env)
    console.log(await issuer.issue({ subject: user, name, roles: [role], ttlMs }))
    return 0
  }
}

function parseTtl(text: string): number {
  const [, number, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  const ttlMs = Number(number) * UNIT_MS[unit as keyof typeof UNIT_MS]
  if (ttlMs >= UNIT_MS.s && ttlMs <= MAX_TTL_MS) return ttlMs
  throw new UsageError('--ttl must be a whole number with s, m, h or d behind it, from 1s to 365d.')
}

/** What signs tokens for the server on this `DATA_DIR`. */
export async function openIssuer(env: NodeJS.ProcessEnv) {
  const { readConfig } = await import('../areas.ts')
  const { systemClock } = await import('../engines/clock.ts')
  const { openBuiltinIdentity, secretFile } = await import('../platform.ts')
  const { openKnownVault } = await import('./vault.ts')
  const config = readConfig(env)
  if (config.oidc !== undefined) throw new Trouble(OUTSIDE_PROVIDER)
  // A secret made now would belong to no server.
  if (config.secretKeys === undefined && !existsSync(secretFile(config))) {
    throw new Trouble(
      `There is no secret.key in ${config.dataDir}, so no server has started there: check DATA_DIR, start the server once, or set SECRET_KEY to what it uses.`
    )
  }
  return openBuiltinIdentity(openKnownVault(config), systemClock)
}

const OUTSIDE_PROVIDER =
  'An outside provider is configured (OIDC_ISSUER or JWKS_URL), so this server takes no tokens but those of that provider: get one there. Users who have one can make API keys with it.'
