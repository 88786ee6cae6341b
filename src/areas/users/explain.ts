import type { Identity, Role } from '../../engines/identity/index.ts'
import { highestRole } from '../../http/permissions.ts'
import type { TokenExplanation } from './schema.ts'

export type ExplainToken = (token: string) => Promise<TokenExplanation>

type Checks = TokenExplanation['checks']

interface Needs {
  readonly identity: Pick<Identity, 'explain' | 'verify'>
  explainApiKey(key: string): Promise<Checks>
  roleOfApiKey(key: string): Promise<Role | undefined>
  /** Which data a role may see, in words. */
  clearanceOf(role: Role | undefined): Promise<string>
}

/** Runs every check on a token and tells the results, for administrators who help a refused caller. */
export function createExplainToken({ identity, explainApiKey, roleOfApiKey, clearanceOf }: Needs): ExplainToken {
  return async (token) => {
    const kind = token.startsWith('mr_') ? 'api-key' : 'jwt'
    const checks = kind === 'api-key' ? await explainApiKey(token) : await identity.explain(token)
    if (!checks.every(({ ok }) => ok)) return { accepted: false, kind, checks: [...checks] }
    const role = kind === 'api-key' ? await roleOfApiKey(token) : highestRole((await identity.verify(token)).roles)
    const message = `The role ${role ?? 'none'} may see ${await clearanceOf(role)}`
    return { accepted: true, kind, checks: [...checks, { name: 'clearance', ok: true, message }] }
  }
}
