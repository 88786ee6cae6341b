// Takes messages, and answers to GET how many there were, of how many alerts, and when the last one came.
import { createServer } from 'node:http'

let messages = 0
let alerts = 0
let lastAtMs = 0

createServer(async (request, response) => {
  const text = Buffer.concat(await request.toArray()).toString()
  if (request.method === 'POST') {
    const body = JSON.parse(text) as { alerts: unknown[]; truncatedAlerts: number }
    messages += 1
    alerts += body.alerts.length + body.truncatedAlerts
    lastAtMs = Date.now()
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ messages, alerts, lastAtMs }))
}).listen(Number(process.env.PORT), '127.0.0.1')
