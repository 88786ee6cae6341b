import { SourceError } from './errors.ts'
import type { Step } from './index.ts'

interface Entry {
  readonly tls: boolean
  /** None where nobody has to say who they are. */
  readonly user?: string | undefined
}

/** The steps of a system where encryption and signing in are one connection, which tells which of them it failed at. */
export function entrySteps({ tls, user }: Entry, enter: (signal: AbortSignal) => Promise<unknown>): Step[] {
  let entered: Promise<unknown> | undefined
  const failure = (signal: AbortSignal) => {
    entered ??= enter(signal).then(
      () => undefined,
      (error) => error
    )
    return entered
  }
  return [
    {
      name: 'tls',
      async run(signal) {
        const error = await failure(signal)
        if (error instanceof SourceError && error.code === 'tls_failed') throw error
        return tls ? 'The connection is encrypted, and the certificate is for the host' : 'Not encrypted, as configured'
      }
    },
    {
      name: 'authenticate',
      async run(signal) {
        const error = await failure(signal)
        if (error !== undefined) throw error
        return user === undefined ? 'One may enter without a name' : `${user} may enter`
      }
    }
  ]
}
