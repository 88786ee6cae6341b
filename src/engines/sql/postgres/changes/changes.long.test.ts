import pg from 'pg'
import { makeFolder } from '../../../../../test/support/servers/service.ts'
import { startSqlPostgres } from '../../../../../test/support/servers/sql-postgres.ts'
import { changesContract } from '../../changes/testing/contract.ts'
import type { ChangesUnderTest } from '../../changes/testing/under-test.ts'
import { onlyPostgres } from './testing/only-postgres.ts'

const postgres: ChangesUnderTest = {
  missing: undefined,
  async start() {
    const { host, port, user, password, database, stop } = await startSqlPostgres(makeFolder('changes-postgres'), [
      'max_replication_slots=30' // tests leave theirs behind
    ])
    const settings = { kind: 'postgres', host, port, user, password, database } as const
    return {
      settings,
      stop: () => stop(),
      async execute(...statements) {
        const client = new pg.Client(settings)
        await client.connect()
        let rows = 0
        try {
          for (const statement of statements) {
            const results = await client.query(statement)
            for (const { rowCount } of [results].flat()) rows += rowCount ?? 0
          }
        } finally {
          await client.end()
        }
        return rows
      }
    }
  },
  types: {
    boolean: ['true', 'false'],
    smallint: ['-32768'],
    integer: ['-2147483648', '2147483647'],
    bigint: ['9223372036854775807', '-1'],
    oid: ['4294967295'],
    real: ['0.1', "'NaN'", "'-Infinity'"],
    'double precision': ['0.1', '1e-300', "'NaN'", '-0.0'],
    'numeric(30, 5)': ['1234567890123456789012345.12345', "'NaN'"],
    text: ["''", "'ü𝄞\n\t\\'"],
    'varchar(9)': ["'abc'"],
    'char(4)': ["'ab'"],
    bytea: ["'\\x00ff'", "''"],
    date: ["'2024-02-29'", "'0044-03-15 BC'", "'infinity'"],
    timestamp: ["'2024-03-31 02:30:00.123456'", "'2024-03-31 02:30:00'"],
    timestamptz: ["'2024-03-31 02:30:00.5+02'", "'-infinity'"],
    time: ["'12:00:00.5'"],
    interval: ["'1 day 2 hours'"],
    json: ['\'{"b": 1, "a": [2]}\''],
    jsonb: ['\'{"b": 1, "a": [2]}\''],
    uuid: ["'00112233-4455-6677-8899-aabbccddeeff'"],
    'text[]': ['\'{a,"b c",NULL}\''],
    inet: ["'10.0.0.1/8'"],
    int4range: ["'[1,5)'"],
    point: ["'(1.5,2)'"]
  }
}

changesContract('PostgreSQL', postgres, onlyPostgres)
