import type { Outgoing, Signer } from '../outgoing.ts'

/** Says the same with every request: there is no other token to try where it is refused. */
export const fixedSigner = (sign: (request: Outgoing) => Outgoing | Promise<Outgoing>): Signer => ({
  sign: async (request) => sign(request),
  renew: () => false
})
