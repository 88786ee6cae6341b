import { createConnection } from 'mysql2/promise'
import { LOGS_CHANGES, missingMariadb, startMariadb } from '../../../../../test/support/servers/mariadb.ts'
import { makeFolder } from '../../../../../test/support/servers/service.ts'
import { changesContract } from '../../changes/testing/contract.ts'
import type { ChangesUnderTest } from '../../changes/testing/under-test.ts'
import { onlyMariadb } from './testing/only-mariadb.ts'

const mariadb: ChangesUnderTest = {
  missing: missingMariadb(),
  async start() {
    const { host, port, user, password, database, stop } = await startMariadb(
      makeFolder('changes-mariadb'),
      LOGS_CHANGES
    )
    const settings = { kind: 'mysql', host, port, user, password, database } as const
    return {
      settings,
      stop: () => stop(),
      async execute(...statements) {
        const client = await createConnection({ host, port, user: 'root', database, multipleStatements: true })
        let rows = 0
        try {
          for (const statement of statements) {
            const [results] = await client.query(statement)
            for (const result of [results].flat() as { affectedRows?: number }[]) rows += result.affectedRows ?? 0
          }
        } finally {
          await client.end()
        }
        return rows
      }
    }
  },
  types: {
    'tinyint(1)': ['0', '1', '5'],
    tinyint: ['-128', '127'],
    'tinyint unsigned': ['255'],
    smallint: ['-32768'],
    'smallint unsigned': ['65535'],
    mediumint: ['-8388608'],
    int: ['-2147483648', '2147483647'],
    'int unsigned': ['4294967295'],
    bigint: ['-9223372036854775808', '-1'],
    'bigint unsigned': ['18446744073709551615'],
    float: ['0.1', '1e-38'],
    double: ['0.1', '-1e300'],
    'decimal(65,30)': ['1.5', '-99999999999999999999999999999999999.999999999999999999999999999999'],
    'decimal(5,2)': ['-0.05', '999.99', '0'],
    'decimal(10,0)': ['-1234567890'],
    uuid: [
      "'00112233-4455-1677-8899-aabbccddeeff'",
      "'123e4567-e89b-42d3-a456-426614174000'",
      "'00000000-0000-0000-0000-000000000000'"
    ],
    text: ["''", "'ü𝄞\\n\\t\\\\'"],
    'varchar(300)': ["'abc'"],
    'varchar(9) character set latin1': ["'äöü€'"],
    'varchar(9) character set utf16': ["'äß漢'"],
    'char(4)': ["'ab'", "'ab '"],
    'char(255) character set utf8mb4': ["'漢字'"],
    'binary(3)': ["x'00ff00'", "x'01'"],
    'varbinary(9)': ["x'00ff00'", "''"],
    blob: ["x'00ff'", "''"],
    longtext: ["'long'"],
    date: ["'2024-02-29'", "'0000-00-00'", "'9999-12-31'"],
    datetime: ["'2024-03-31 02:30:01'", "'0000-00-00 00:00:00'"],
    'datetime(6)': ["'9999-12-31 23:59:59.999999'"],
    'datetime(3)': ["'2024-03-31 02:30:01.123'"],
    'timestamp(6) null': ["'2024-03-31 02:30:00.000001'"],
    'timestamp null': ["'2024-03-31 02:30:00'"],
    time: ["'-01:00:00'", "'100:00:01'"],
    'time(2)': ["'-00:00:00.01'", "'-838:59:58.99'", "'12:00:00'"],
    'time(3)': ["'-00:00:01.001'"],
    'time(6)': ["'-838:59:58.999999'", "'00:00:00.000001'"],
    year: ['2024', '0'],
    'bit(12)': ["b'101010111100'"],
    'bit(8)': ["b'10000001'"],
    "enum('a', 'b,c', 'ü')": ["'ü'", "'b,c'"],
    "set('a', 'b', 'ü')": ["'a,ü'", "''"],
    json: ['\'{"b": 1, "a": [2]}\''],
    point: ["st_geomfromtext('POINT(1.5 2)')"],
    geometry: [
      "st_geomfromtext('LINESTRING(0 0, 1 2)')",
      "st_geomfromtext('POLYGON((0 0, 1 0, 1 1, 0 0))')",
      "st_geomfromtext('MULTIPOINT(1 1, 2 2)')"
    ]
  }
}

changesContract('MariaDB', mariadb, onlyMariadb)
