import { readConfig } from '../../src/areas.ts'
import { openKnownVault } from '../../src/cli/vault.ts'
import { systemClock } from '../../src/engines/clock.ts'
import type { Role } from '../../src/engines/identity/index.ts'
import { openBuiltinIdentity } from '../../src/platform.ts'
import type { Env } from './process.ts'

/** As long as any soak takes. */
const WEEK_MS = 7 * 86_400_000

/**
 * A token for an installation that has its secret, as `millrace token` prints it: made here, because a process of its own
 * takes longer to load than most servers take to answer a thousand requests.
 */
export async function makeToken(env: Env, user: string, role: Role = 'admin'): Promise<string> {
  const issuer = await openBuiltinIdentity(openKnownVault(readConfig(env)), systemClock)
  return issuer.issue({ subject: user, roles: [role], ttlMs: WEEK_MS })
}
