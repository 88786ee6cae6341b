import type { NodeFault } from '../../contract/context.ts'
import type { Sink, SinkContext } from '../../contract/sink.ts'
import { recordJson } from '../../records/json.ts'
import { DeliverySink } from '../outside/delivery.ts'
import { discard, HttpCaller } from './call.ts'
import type { HttpSinkConfig } from './sink.ts'

const MAX_BODY_BYTES = 8 * 1024 * 1024
const TIMEOUT_MS = 60_000
const ABOUT_RECORDS: ReadonlySet<number> = new Set([400, 413, 422])
const LASTING: ReadonlySet<number> = new Set([301, 302, 303, 307, 308, 401, 403, 404, 405, 410])

export async function openHttpDelivery(context: SinkContext<HttpSinkConfig>, defaultRows: number): Promise<Sink> {
  const { config, runId, nodeId } = context
  const { url, method = 'POST', format = 'json', batchRows = defaultRows } = config
  const caller = new HttpCaller(await context.outbound(), judge, context)
  const isJson = format === 'json'
  const type = isJson ? 'application/json' : 'application/x-ndjson'
  return new DeliverySink<string>(context, {
    maxRows: batchRows,
    maxBytes: MAX_BODY_BYTES,
    select: recordJson,
    itemOf: ([record]) => String(record),
    bytesOf: (record) => record.length,
    async send(records, { epoch, number, signal }) {
      const body = isJson ? `[${records.join(',')}]` : `${records.join('\n')}\n`
      const key = `${runId}-${nodeId}-${epoch}-${number}`
      const headers = { 'content-type': type, ...config.headers, 'idempotency-key': key }
      await caller.call(url, { method, headers, body, timeoutMs: TIMEOUT_MS, signal }, discard)
    },
    recordOf: (record) => record,
    close: async () => {}
  })
}

function judge(status: number): NodeFault['kind'] {
  if (ABOUT_RECORDS.has(status)) return 'records'
  return LASTING.has(status) ? 'fatal' : 'transient'
}
