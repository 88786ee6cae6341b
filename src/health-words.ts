import type { Clock } from './engines/clock.ts'
import { failingWith, within } from './engines/timing.ts'
import { HealthProblem } from './http/health-problem.ts'

/** Shorter than health waits, because health itself could not say what is wrong. */
const ANSWER_MS = 2500

/** The check with a failure that anybody may read. The reason may name hosts, so it is only the cause, for the log. */
export function withPublicFailure(words: string, check: () => Promise<void>, clock: Clock): () => Promise<void> {
  return async () => {
    try {
      await within(clock, ANSWER_MS, check(), failingWith(`no answer within ${ANSWER_MS / 1000} s`))
    } catch (error) {
      throw new HealthProblem(words, { cause: error })
    }
  }
}

/** For a check that asks the database first: the thing it checks may be well. */
export const NOT_LOOKED_AT = 'could not be looked at: the database does not answer (see metadata)'
export const DATABASE_AWAY = 'The database does not answer: check DATABASE_URL and its server'
export const PROVIDER_AWAY = 'The OpenID provider does not answer: check OIDC_ISSUER or JWKS_URL, and the provider'
