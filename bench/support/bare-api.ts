// The baseline: Fastify alone, answering the same bytes from memory, with no more than it takes to send them.
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'

interface Case {
  method: string
  path: string
  status: number
  body: string
}

const app = Fastify()
const cases = JSON.parse(readFileSync(process.env.CASES as string, 'utf8')) as Case[]
for (const { method, path, status, body } of cases) {
  app.route({
    method,
    url: path,
    handler: (_request, reply) =>
      reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body)
  })
}
app.get('/ready', async () => 'ok')
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.once('SIGTERM', () => app.close())
