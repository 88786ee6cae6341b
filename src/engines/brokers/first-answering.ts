import type { Endpoint } from './endpoint.ts'
import { type BrokerError, toBrokerError } from './errors.ts'

/** Tries the endpoints one after the other. If one answers and refuses, it stops: the others would refuse too. */
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
