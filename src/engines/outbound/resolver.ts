import { type Address, judge, parseAddress } from './address.ts'
import type { AllowList } from './allow-list.ts'
import type { Deadline } from './deadline.ts'
import { OutboundError } from './errors.ts'
import type { Host } from './host.ts'

/** Every address a name has; rejects where it has none. */
export type Lookup = (name: string) => Promise<readonly { readonly address: string }[]>

export interface Policy {
  readonly allowPrivateNetworks: boolean
  readonly allows: AllowList
}

/** The address to connect to, once all addresses of the host have passed: one bad address makes the name refused. */
export async function resolveHost(
  host: Host,
  port: number,
  { policy, lookup, deadline }: { policy: Policy; lookup: Lookup; deadline: Deadline }
): Promise<Address> {
  const addresses =
    host.address === undefined ? await deadline.race(() => lookUp(host.text, lookup)) : [checked(host.address)]
  for (const address of addresses) refuseUnlessPermitted(host, port, address, policy)
  // Machines that can't reach the outside over IPv6 are common, those that can't over IPv4 are not.
  return addresses.find((address) => address.kind() === 'ipv4') ?? checked(addresses[0])
}

async function lookUp(name: string, lookup: Lookup): Promise<Address[]> {
  let answers: Awaited<ReturnType<Lookup>>
  try {
    answers = await lookup(name)
  } catch (error) {
    const reason = String((error as { code?: unknown } | null)?.code ?? 'no code')
    throw new OutboundError('unknown_host', `The name ${name} can't be looked up (${reason}); check its spelling`)
  }
  if (answers.length === 0) {
    throw new OutboundError('unknown_host', `The name ${name} has no address; check its spelling`)
  }
  return answers.map(({ address }) => checked(parseAddress(address)))
}

/** An address that can't be parsed is refused. */
function checked(address: Address | undefined): Address {
  if (address !== undefined) return address
  throw new OutboundError('refused_by_policy', 'The name leads to an address that is not understood; use another one')
}

function refuseUnlessPermitted(host: Host, port: number, address: Address, policy: Policy): void {
  const verdict = judge(address)
  // The error does not say which address it is: a user could map the network behind the server with the answers.
  if (verdict === 'never') {
    throw new OutboundError(
      'refused_by_policy',
      `${host.text} leads to a link-local, metadata, multicast or reserved address, and those are never called; use another host`
    )
  }
  if (verdict === 'private' && !policy.allowPrivateNetworks && !policy.allows(host, port, address)) {
    throw new OutboundError(
      'refused_by_policy',
      `${host.text} leads to a private address; to permit it, add it to ALLOWED_HOSTS or set ALLOW_PRIVATE_NETWORKS=true`
    )
  }
}
