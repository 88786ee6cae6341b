/**
 * Writes points to an embedded engine as fast as it takes them, and says on its output which batches were acknowledged,
 * until it is killed. Arguments: the folder, the number of the first batch.
 */
import { flushCompileCache } from 'node:module'
import { openDuckdb } from '../../../src/engines/series/duckdb/index.ts'
import { say } from '../say.ts'
import { batchBody, WRITER_SIZES, WRITERS } from './batches.ts'

const [folder = '', first = '0'] = process.argv.slice(2)
const series = await openDuckdb({ folder, sizes: WRITER_SIZES, onFailure: (error) => console.error(error) })
flushCompileCache() // a killed process would leave no compiled code for the next
say('ready')
let next = Number(first)

async function write(): Promise<void> {
  for (;;) {
    const batch = next++
    const request = { sourceId: 'src', format: 'line', precision: 'ms', nowMs: 0 } as const
    try {
      await series.write({ ...request, body: batchBody(batch) })
    } catch (error) {
      if ((error as { code?: string }).code !== 'busy') throw error
      continue // sealing is behind: this batch was refused
    }
    say(`${batch}`)
  }
}

await Promise.all(Array.from({ length: WRITERS }, write))
