import type { Identity } from '../../engines/identity/index.ts'
import type { TokenExplanation } from './schema.ts'

export type ExplainToken = (token: string) => Promise<TokenExplanation>

type Checks = TokenExplanation['checks']

/** Runs every check on a token and tells the results, for administrators who help a refused caller. */
export function createExplainToken(
  identity: Pick<Identity, 'explain'>,
  explainApiKey: (key: string) => Promise<Checks>
): ExplainToken {
  return async (token) => {
    const kind = token.startsWith('mr_') ? 'api-key' : 'jwt'
    const checks = kind === 'api-key' ? await explainApiKey(token) : await identity.explain(token)
    return { accepted: checks.every(({ ok }) => ok), kind, checks: [...checks] }
  }
}
