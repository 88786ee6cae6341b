import type { Clock } from '../../../clock.ts'
import type { Place } from '../../../places/index.ts'
import type { SourceConfig } from '../../index.ts'
import type { Authentication, Entry } from '../entry.ts'
import type { Answer, Outgoing, Signer } from '../outgoing.ts'
import { fill, type Scope } from '../template/template.ts'

/** Stands in for all kinds of signing until they are there. */
export function signerOf(
  authentication: Authentication,
  scope: Scope,
  _needs: { send(request: Outgoing, signal: AbortSignal): Promise<Answer>; readonly clock: Clock }
): Signer {
  return {
    async sign(request) {
      if (authentication.kind !== 'bearer') return request
      const token = fill(authentication.token, scope) ?? ''
      return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } }
    },
    renew: () => false
  }
}

export const secretPlaces = (entry: Entry, _config: SourceConfig): Readonly<Record<string, Place>> =>
  Object.fromEntries(
    Object.entries(entry.settings).flatMap(([name, { secret }]) =>
      secret === true ? [[name, { address: [entry.base] }]] : []
    )
  )
