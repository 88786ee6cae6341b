import { after, before, describe } from 'node:test'
import type { SqlDatabase } from '../../index.ts'
import { open } from '../../testing/under-test.ts'
import { copiesContract } from './copies.ts'
import { orderContract } from './order.ts'
import { policyContract } from './policy.ts'
import type { ChangesGiven, ChangesServer, ChangesUnderTest } from './under-test.ts'
import { typesContract } from './values.ts'

/** What reading changes promises, with a real server. */
export function changesContract(name: string, under: ChangesUnderTest, more?: (given: ChangesGiven) => void): void {
  describe(`changes of ${name}`, { skip: under.missing ?? false }, () => {
    let server: ChangesServer
    let database: SqlDatabase
    before(async () => {
      server = await under.start()
      database = await open(server.settings)
    })
    after(async () => {
      await database?.close()
      await server?.stop()
    })
    const given: ChangesGiven = { under, server: () => server, database: () => database }
    orderContract(given)
    typesContract(given)
    policyContract(given)
    more?.(given)
    copiesContract(given)
  })
}
