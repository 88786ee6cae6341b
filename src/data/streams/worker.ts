// Copies a stream of a connector into a file, in a thread of its own: to read and write a million records is work that others would wait for.
import { open } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { Channel } from '../../engines/channel.ts'
import {
  type KeptSecrets,
  knownSource,
  type OpenSource,
  SourceError,
  type StreamRead
} from '../../engines/drivers/index.ts'
import { createOutbound } from '../../engines/outbound/index.ts'
import { linesOf } from './csv.ts'
import { type Copied, type CopyOrder, type CopyOutcome, type CopyServer, PLAIN_FAULTS } from './messages.ts'
import { narrowed } from './narrowed.ts'

const order = workerData as CopyOrder
/** The thread is ended from outside when the query is. */
const signal = new AbortController().signal

const server = new Channel<CopyServer, string>({
  post: (message) => parentPort?.postMessage(message),
  faults: PLAIN_FAULTS
})
parentPort?.on('message', (message) => server.hear(message))
const secrets: KeptSecrets = {
  current: (...asked) => server.call('current', ...asked),
  replace: (...asked) => server.call('replace', ...asked)
}

/** What readers of lines expect anyway. */
const SHORT_LINE = 2_000_000
const MAX_BYTES_OF_UNIT = 3

async function copy(): Promise<CopyOutcome> {
  const source = await knownSource(order.sourceId, order.entry)
  if (source === undefined) return { failed: 'not_found', message: 'its source is not known any more' }
  const { config, packagesFolder, columns, wish } = order
  const outbound = createOutbound(order.outbound)
  const opened = await source.driver.open(config, source.facts, { outbound, packagesFolder, secrets })
  try {
    const { limit, ...read } = narrowed(columns, wish, (condition, type) =>
      opened.narrows?.(condition, type, order.stream)
    )
    if (limit === 0) return { columns, rows: 0, bytes: 0, longestLine: 0 }
    const request = { ...read, ...(limit !== undefined && { limit }), stream: order.stream, known: columns, signal }
    return await written(opened, request).catch((error) => {
      // What stands in a column may be of a type that a value of the statement is none of: the statement itself will say so.
      if (!(error instanceof SourceError) || error.code !== 'bad_request' || request.where === undefined) throw error
      const { where: _, limit: __, ...whole } = request
      return written(opened, whole)
    })
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    const failed = error.code === 'not_found' ? 'not_found' : 'unavailable'
    return { failed, message: error.code === 'bad_request' ? 'reading it fails' : error.message }
  } finally {
    await opened.close()
    await outbound.close()
  }
}

async function written(opened: OpenSource, request: StreamRead): Promise<CopyOutcome> {
  const file = await open(order.file, 'w')
  let [rows, bytes, longest] = [0, 0, SHORT_LINE]
  let columns: Copied['columns'] = order.columns
  try {
    for await (const chunk of opened.read(request)) {
      columns = chunk.columns
      const texts = linesOf(chunk)
      for (const { length } of texts) longest = Math.max(longest, MAX_BYTES_OF_UNIT * length)
      const lines = Buffer.from(`${texts.join('\n')}\n`)
      rows += chunk.rows
      bytes += lines.length
      if (bytes > order.maxBytes) return { failed: 'too_large', message: `more than ${order.maxBytes} bytes` }
      await file.writeFile(lines)
    }
  } finally {
    await file.close()
  }
  return { columns, rows, bytes, longestLine: longest }
}

await server.call('done', await copy())
