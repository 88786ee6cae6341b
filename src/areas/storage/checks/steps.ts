import type { Clock } from '../../../engines/clock.ts'
import type { Outbound } from '../../../engines/outbound/index.ts'
import { CheckFailure } from './failure.ts'
import type { Probe } from './probe.ts'
import { Skipped, type Step } from './runner.ts'
import type { Wire } from './wire.ts'

/** The clock difference that stores tolerate. */
const MAX_CLOCK_DIFFERENCE_MS = 15 * 60_000
const TELLS_NO_TIME = 'The server does not tell its time'

/** The steps on the way to a server, and its authentication. */
export function remoteSteps(wire: Wire, probe: Probe, clock: Clock): Step[] {
  let refusal: unknown
  return [
    { name: 'resolve', needs: [], run: () => wire.resolve() },
    { name: 'connect', needs: ['resolve'], run: () => wire.connect() },
    {
      name: 'tls',
      needs: ['connect'],
      run: async () => (wire.secure ? wire.tls() : new Skipped('The connection is not encrypted; useTls is off'))
    },
    {
      name: 'authenticate',
      needs: ['tls'],
      run: () =>
        probe.authenticate().catch((error) => {
          refusal = error
          throw error
        })
    },
    { name: 'clock', needs: ['tls'], run: () => compareClocks(wire, clock, refusal) }
  ]
}

const ON_DISK = 'The objects are on the disk of this server'

export function diskSteps(): Step[] {
  const names = ['resolve', 'connect', 'tls', 'authenticate', 'clock'] as const
  return names.map((name) => ({ name, needs: [], run: async () => new Skipped(ON_DISK) }))
}

/** The steps with a bucket; deleting what was written comes after all of them. */
export function objectSteps(probe: Probe, outbound: Outbound | undefined): Step[] {
  const [list, read, write] = [probe.permission('list'), probe.permission('read'), probe.permission('write')]
  return [
    { name: 'list', needs: ['authenticate'], permission: list, run: () => probe.list() },
    { name: 'write', needs: ['authenticate'], permission: write, run: () => probe.write() },
    { name: 'read', needs: ['write'], permission: read, run: () => probe.read() },
    { name: 'range', needs: ['write'], permission: read, run: () => probe.range() },
    { name: 'multipart', needs: ['write'], permission: write, run: () => probe.multipart() },
    { name: 'conditional-write', needs: ['write'], permission: write, run: () => probe.conditionalWrite() },
    { name: 'presign', needs: ['write'], permission: read, run: () => probe.presign(outbound) }
  ]
}

async function compareClocks(wire: Wire, clock: Clock, refusal: unknown): Promise<string | Skipped> {
  const differenceMs = await wire.clockDifferenceMs(() => clock.now())
  const isRefused = (refusal as { code?: unknown } | undefined)?.code === 'clock_off'
  const apart = differenceMs === undefined ? undefined : `${Math.round(Math.abs(differenceMs) / 1000)} s apart`
  if (isRefused || Math.abs(differenceMs ?? 0) > MAX_CLOCK_DIFFERENCE_MS) {
    const measured = isRefused || apart === undefined ? 'too far apart for the store' : apart
    throw new CheckFailure('clock_off', `The clocks of this server and of the store are ${measured}; set them right`)
  }
  return apart === undefined ? new Skipped(TELLS_NO_TIME) : `The clocks are ${apart}`
}
