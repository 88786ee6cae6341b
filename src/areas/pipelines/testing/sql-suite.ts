import { after, before, describe } from 'node:test'
import { makeFolder, removeFolder } from '../../../../test/support/servers/service.ts'
import { createOutbound } from '../../../engines/outbound/index.ts'
import { openSql, type SqlDatabase, type SqlKind, type SqlSettings } from '../../../engines/sql/index.ts'
import { promisesOfReading, promisesOfWriting } from './sql-promises.ts'
import { openWorkshop, type RunOptions, type Workshop } from './workshop.ts'

export interface SqlUnderTest {
  readonly kind: SqlKind
  readonly missing: string | undefined
  start(folder: string): Promise<SqlServerUnderTest>
}

export interface SqlServerUnderTest {
  readonly settings: SqlSettings
  away(): Promise<void>
  back(): Promise<void>
  stop(): Promise<void>
}

export interface SqlGiven {
  readonly kind: SqlKind
  workshop(): Workshop
  server(): SqlServerUnderTest
  database(): SqlDatabase
  /** Puts numbers into a table, which is made if it is not there. */
  insert(table: string, from: number, to: number): Promise<void>
  /** Reads into objects. */
  read(prefix: string, config: object, options?: RunOptions): ReturnType<Workshop['run']>
  /** Writes what a generator gives. */
  write(generate: object, config: object, options?: RunOptions): ReturnType<Workshop['run']>
  /** The numbers in the column `n` of a table, in their order. */
  numbersIn(table: string): Promise<number[]>
}

/** What the source and the sink promise, with a real database. */
export function sqlSuite(name: string, under: SqlUnderTest, more?: (given: SqlGiven) => void): void {
  describe(`${name} in pipelines`, { skip: under.missing ?? false }, () => {
    const folder = makeFolder('sql')
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    let server: SqlServerUnderTest
    let workshop: Workshop
    let database: SqlDatabase

    before(async () => {
      server = await under.start(folder)
      workshop = await openWorkshop()
      database = await openSql(server.settings, { outbound })
    })
    after(async () => {
      await database.close()
      await workshop.close()
      await server.stop()
      await outbound.close()
      removeFolder(folder)
    })

    const given: SqlGiven = {
      kind: under.kind,
      workshop: () => workshop,
      server: () => server,
      database: () => database,
      async insert(table, from, to) {
        const numbers = Array.from({ length: to - from + 1 }, (_, i) => from + i)
        const columns = [
          { name: 'n', type: 'integer' },
          { name: 'text', type: 'text' }
        ] as const
        const values = [numbers, numbers.map((n) => `ü${n}`)]
        await database.write({ table, columns, values, rows: numbers.length, create: true })
      },
      read: (prefix, config, options = {}) =>
        workshop.run(
          [
            { id: 'in', type: 'sql', config: { connection: server.settings, ...config } },
            { id: 'out', type: 'object', config: { bucket: 'b', prefix, format: 'parquet' }, inputs: ['in'] }
          ],
          options
        ),
      write: (generate, config, options = {}) =>
        workshop.run(
          [
            { id: 'gen', type: 'generate', config: generate as Record<string, unknown> },
            { id: 'out', type: 'sql', config: { connection: server.settings, ...config }, inputs: ['gen'] }
          ],
          options
        ),
      async numbersIn(table) {
        const found: number[] = []
        for await (const { values } of database.read({ query: `SELECT n FROM ${table} ORDER BY n` })) {
          for (const n of values[0] ?? []) found.push(Number(n))
        }
        return found
      }
    }
    promisesOfReading(given)
    promisesOfWriting(given)
    more?.(given)
  })
}
