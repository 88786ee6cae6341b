import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Entry } from '../../src/engines/drivers/index.ts'

/** The service of `service.ts`; it ends with `stop`. */
export async function startService() {
  const child = fork(new URL('./service.ts', import.meta.url))
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    port,
    stop: async () => {
      const gone = once(child, 'exit')
      child.disconnect()
      await gone
    }
  }
}

/** What it is, as an entry. */
export const entryFor = (port: number, more: Partial<Entry> = {}): Entry => ({
  id: 'bench',
  name: 'Bench',
  category: 'engineering',
  documentation: 'https://example.com',
  settings: { token: { secret: true }, pages: { type: 'integer', default: 100 } },
  authentication: { kind: 'bearer', token: '{token}' },
  base: `http://127.0.0.1:${port}`,
  check: 'orders',
  streams: {
    orders: {
      path: '/orders',
      query: { pages: '{pages}' },
      records: 'data',
      key: 'id',
      paging: { kind: 'page', param: 'page', start: 1, size: 1000, sizeParam: 'size' }
    }
  },
  ...more
})
