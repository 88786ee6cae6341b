import type { Outbound } from '../../../outbound/index.ts'
import { HttpApi } from '../../common/http-api.ts'
import { SourceError } from '../../errors.ts'
import type { Discovered } from '../../index.ts'
import { messageStream } from '../messages.ts'
import type { ListRequest } from '../source.ts'
import type { RabbitSettings } from './config.ts'
import { missingTag } from './errors.ts'

const QUEUES_OF_PAGE = 500
/** No more than so many pages are looked through. */
const MOST_PAGES = 40

interface Page {
  readonly items?: readonly { readonly name?: unknown; readonly type?: unknown }[]
  readonly page_count?: number
}

/** The queues that the management interface lists. Those that are no streams come after those that are, and can't be read. */
export async function listByManagement(
  settings: RabbitSettings,
  port: number,
  outbound: Outbound,
  { limit, signal }: ListRequest
): Promise<Discovered> {
  const api = apiOf(settings, port, outbound)
  const streams: string[] = []
  const others: string[] = []
  let pages = 1
  let page = 1
  for (; page <= pages && page <= MOST_PAGES && streams.length <= limit; page++) {
    const query = `page=${page}&page_size=${QUEUES_OF_PAGE}&sort=name&columns=name,type`
    const { items = [], page_count = 0 } = await pageOf(
      api,
      `/api/queues/${encodeURIComponent(settings.vhost)}?${query}`,
      signal
    )
    for (const { name, type } of items) {
      if (typeof name !== 'string') continue
      if (type === 'stream') streams.push(name)
      else if (others.length <= limit) others.push(name)
    }
    pages = page_count
  }
  const found = [
    ...streams.map((name) => messageStream(name, true)),
    ...others.map((name) => ({ ...messageStream(name, false), isReadable: false }))
  ]
  return { streams: found.slice(0, limit), isWhole: page > pages && found.length <= limit }
}

async function pageOf(api: HttpApi, path: string, signal: AbortSignal): Promise<Page> {
  try {
    return ((await api.call({ path, signal })).body ?? {}) as Page
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    const isPlace = error.pointer === '/port' || error.code === 'not_found'
    throw isPlace ? new SourceError(error.code, `Management: ${error.message}`, '/managementPort') : error
  }
}

function apiOf(settings: RabbitSettings, port: number, outbound: Outbound): HttpApi {
  const { host, tls, ca, user = '', password = '' } = settings
  return new HttpApi({
    outbound,
    host,
    port,
    tls,
    ca,
    headers: () => ({ authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }),
    secretPointer: '/password',
    refusalOf: ({ status, body }) =>
      status === 401 && /not management user/i.test(String((body as { reason?: unknown } | undefined)?.reason))
        ? missingTag(settings)
        : undefined
  })
}
