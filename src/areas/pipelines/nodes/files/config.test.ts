import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { faultsOf } from '../../../../http/compilers.ts'
import { openReading, type Reading } from '../../testing/file-reading.ts'
import { type FileSourceConfig, fileFaults, FileSourceConfig as Schema } from './config.ts'

let reading: Reading
before(async () => {
  reading = await openReading()
})
after(() => reading.close())

const faults = (config: object) => {
  const whole = { reference: 'object://b/a.csv', ...config }
  const found = faultsOf(Schema, whole)
  return (found.length > 0 ? found : fileFaults(whole as FileSourceConfig)).map(({ pointer, message }) => {
    return `${pointer} ${message}`
  })
}

test('ways to write CSV that can mean nothing are refused, with what would be right', () => {
  const cases: [csv: object, fault: RegExp][] = [
    [
      { dateFormat: 'dd.MM.yyyy' },
      /^\/csv\/dateFormat must say with % where year, month and day are, such as %d\.%m\.%Y$/
    ],
    [{ dateFormat: '%d.%m' }, /year, month and day/],
    [{ dateFormat: '%d.%m.%%Y' }, /year, month and day/],
    [{ dateFormat: '%d.%m.%Q' }, /must not hold %Q.*such as %d\.%m\.%Y$/],
    [{ dateFormat: '%d.%m.%' }, /must not hold %,/],
    [{ timestampFormat: 'HH:mm' }, /^\/csv\/timestampFormat .* such as %d\.%m\.%Y %H:%M:%S$/],
    [{ timestampFormat: '%d.%m.%Y' }, /and hour/],
    [{ delimiter: ';;' }, /^\/csv\/delimiter must be one character/],
    [{ delimiter: '' }, /^\/csv\/delimiter must be one character/],
    [{ quote: 'a' }, /^\/csv\/quote must be one character of ASCII that is no letter/],
    [{ quote: '""' }, /^\/csv\/quote must be one character/],
    [{ delimiter: '"' }, /^\/csv\/quote must not be the delimiter/],
    [{ decimal: ',', thousands: ',' }, /^\/csv\/thousands must not be what stands before decimals/],
    [{ thousands: '.' }, /^\/csv\/thousands must not be what stands before decimals/],
    [{ delimiter: ',', decimal: ',' }, /^\/csv\/decimal must not be the delimiter/]
  ]
  for (const [csv, fault] of cases) {
    const found = faults({ csv })
    assert.equal(found.length, 1, JSON.stringify([csv, found]))
    assert.match(found[0] as string, fault)
  }
})

test('formats that are let through are read by DuckDB', async () => {
  const formats = ['%d.%m.%Y', '%-d.%-m.%y', '%Y-%j', '%d %b %Y', '%B %d, %Y', '%x', '%A %d %B %Y']
  for (const dateFormat of formats) {
    assert.deepEqual(faults({ csv: { dateFormat } }), [], dateFormat)
    const timestampFormat = `${dateFormat} %H:%M:%S`
    assert.deepEqual(faults({ csv: { timestampFormat } }), [], timestampFormat)
    await reading.database.run(`SELECT try_strptime('x', '${dateFormat}'), try_strptime('x', '${timestampFormat}')`)
  }
})

test('types of columns that are none are refused with those that are, and other things with the form', () => {
  assert.match(faults({ columns: { a: 'double' } }).join(), /^\/columns\/a must be a type in capitals: .*DOUBLE/)
  assert.match(faults({ columns: 'double' }).join(), /^\/columns must be an object of types by column, such as/)
  assert.match(faults({ columns: ['a'] }).join(), /^\/columns must be an object of types by column, such as/)
})
