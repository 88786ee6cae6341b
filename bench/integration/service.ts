// A service with an HTTP interface, in a process of its own: pages of records, ready as bytes, and what the callers did.
import { createServer } from 'node:http'

const SIZE = 1000
const BUDGET_MS = 60_000

const record = (id: number) => ({
  id,
  name: `order ${id}`,
  email: `customer${id % 977}@plant.example`,
  total: (id % 10_000) / 4,
  paid: id % 7 !== 0,
  created_at: new Date(1_767_225_600_000 + id * 1000).toISOString(),
  address: { city: 'Ulm', zip: String(10_000 + (id % 80_000)), lines: ['Mill Street', String(id % 200)] },
  tags: ['a', 'b']
})

const pages = new Map<number, string>()
const pageOf = (page: number) => {
  const known = pages.get(page)
  if (known !== undefined) return known
  const data = Array.from({ length: SIZE }, (_, at) => record((page - 1) * SIZE + at))
  const text = JSON.stringify({ data })
  pages.set(page, text)
  return text
}

let asked = 0
let firstMs = 0
const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  if (url.pathname === '/asked') return void response.end(JSON.stringify({ asked, ms: Date.now() - firstMs }))
  if (asked++ === 0 || Date.now() - firstMs > BUDGET_MS) firstMs = Date.now()
  const page = Number(url.searchParams.get('page') ?? '1')
  const last = Number(url.searchParams.get('pages') ?? '100')
  response.setHeader('content-type', 'application/json')
  response.end(page > last ? '{"data":[]}' : pageOf(page))
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object') process.send?.({ port: address.port })
})
process.on('disconnect', () => process.exit())
