import type { Endpoint } from './endpoint.ts'
import { type BrokerError, toBrokerError } from './errors.ts'

/** Tries one after the other. One that answers and refuses ends it: the others would, too. */
export async function firstAnswering<C>(
  endpoints: readonly Endpoint[],
  connect: (endpoint: Endpoint) => Promise<C>
): Promise<C> {
  let failure: BrokerError | undefined
  for (const endpoint of endpoints) {
    try {
      return await connect(endpoint)
    } catch (error) {
      failure = toBrokerError(error, endpoint.where)
      if (!failure.isTransient) break
    }
  }
  throw failure
}
