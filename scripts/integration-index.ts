// Checks every entry of resources/integration-sources and writes its index.json, or with --check fails where the committed
// one is out of date. What is wrong with entries is told with the file and the place in it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { CATEGORIES } from '../src/engines/drivers/catalogue/facts.ts'
import { CATALOGUE } from '../src/engines/drivers/catalogue/index.ts'
import { addressesOf } from '../src/engines/drivers/declared/catalogue/address-parts.ts'
import { EntryError, parseEntry } from '../src/engines/drivers/declared/catalogue/parse.ts'
import { type IndexRow, rowOf } from '../src/engines/drivers/declared/catalogue/row.ts'

const folder = new URL('../resources/integration-sources/', import.meta.url)
const file = new URL('index.json', folder)
const drivers = new Set(CATALOGUE.map(({ id }) => id))
const rows: IndexRow[] = []
const wrong: string[] = []

for (const name of readdirSync(folder).sort()) {
  if (name === 'index.json') continue
  try {
    const entry = parseEntry(readFileSync(new URL(name, folder), 'utf8'))
    const row = rowOf(entry)
    for (const { pointer, address } of addressesOf(entry))
      if (/^http:/i.test(address)) wrong.push(`${name}: ${pointer} has to begin with https://`)
    if (`${row.id}.yaml` !== name) wrong.push(`${name}: /id has to be the name of the file`)
    if (drivers.has(row.id)) wrong.push(`${name}: /id is that of a driver's source`)
    if (!CATEGORIES.includes(row.category)) wrong.push(`${name}: /category has to be one of ${CATEGORIES.join(', ')}`)
    rows.push(row)
  } catch (error) {
    if (!(error instanceof EntryError)) throw error
    for (const { pointer, message } of error.faults) wrong.push(`${name}: ${pointer} ${message}`)
  }
}

const text = `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]\n`
for (const one of wrong) console.error(one)
if (wrong.length > 0) process.exitCode = 1
else if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.error(
    'resources/integration-sources/index.json is out of date: run `npm run integration-index` and commit the result'
  )
  process.exitCode = 1
}
