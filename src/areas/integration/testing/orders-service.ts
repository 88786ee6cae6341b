import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const SIZE = 2

export interface OrdersService {
  readonly base: string
  /** The paths and queries that were asked for with the right token. */
  readonly asked: readonly string[]
  readonly orders: { id: number; updated_at: string; total?: number; note?: string }[]
  stop(): Promise<void>
}

/** A service with an HTTP interface: orders in pages of two, by a token that is `s3cret-orders`. */
export async function startOrdersService(): Promise<OrdersService> {
  const asked: string[] = []
  const orders = Array.from({ length: 5 }, (_, at) => ({
    id: at + 1,
    updated_at: `2026-03-0${at + 1}T08:00:00Z`,
    total: at + 0.5
  }))
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.headers.authorization !== 'Bearer s3cret-orders') {
      response.statusCode = 401
      return void response.end('{"error":"who are you"}')
    }
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    asked.push(url.pathname + url.search)
    if (url.pathname !== '/v1/orders') {
      response.statusCode = 404
      return void response.end('{"error":"nothing here"}')
    }
    const since = url.searchParams.get('since') ?? ''
    const from = Number(url.searchParams.get('offset') ?? '0')
    const found = orders.filter((order) => order.updated_at >= since)
    response.end(JSON.stringify({ data: found.slice(from, from + SIZE) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    base: `http://127.0.0.1:${port}`,
    asked,
    orders,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

/** What a user would send for it. */
export const ordersEntry = (base: string) => ({
  id: 'our-orders',
  name: 'Our orders',
  category: 'commerce',
  documentation: 'https://orders.example/docs',
  settings: { token: { secret: true, title: 'Token' } },
  authentication: { kind: 'bearer', token: '{token}' },
  base,
  check: 'orders',
  streams: {
    orders: {
      path: '/v1/orders',
      records: 'data',
      key: 'id',
      paging: { kind: 'offset', param: 'offset', size: SIZE, sizeParam: 'limit' },
      cursor: { field: 'updated_at', since: { param: 'since' } }
    }
  }
})
