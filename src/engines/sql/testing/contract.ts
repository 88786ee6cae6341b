import { after, before, describe } from 'node:test'
import type { SqlDatabase } from '../index.ts'
import { applyingContract } from './applying.ts'
import { endingContract } from './ending.ts'
import { incrementalContract } from './incremental.ts'
import { namesContract } from './names.ts'
import { refusalContract } from './refusals.ts'
import { tablesContract } from './tables.ts'
import { open, type RunningServer, type UnderTest } from './under-test.ts'
import { upsertContract } from './upserts.ts'
import { valuesContract } from './values.ts'

/** What the parts of the suite are given; both exist once the tests run. */
export interface Given {
  readonly database: () => SqlDatabase
  readonly server: () => RunningServer
  readonly test: UnderTest
}

/** The tests that every database has to pass; `besides` are tests for this one only, on the same server. */
export function sqlContract(name: string, test: UnderTest, besides: (given: Given) => void): void {
  describe(name, { skip: test.missing ?? false }, () => {
    let server: RunningServer
    let database: SqlDatabase
    before(async () => {
      server = await test.start()
      database = await open(server.settings)
    })
    after(async () => {
      await database?.close()
      await server?.stop()
    })
    const given = { database: () => database, server: () => server, test }
    valuesContract(given)
    namesContract(given)
    tablesContract(given)
    incrementalContract(given)
    upsertContract(given)
    applyingContract(given)
    refusalContract(given)
    besides(given)
    endingContract(given)
  })
}
