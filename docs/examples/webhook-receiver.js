// Prints the messages that a webhook channel of alerts sends, one JSON object a line, and refuses those that are not signed
// with the secret. Needs nothing but Node 20 or newer:
//
//   SECRET=… PORT=9099 node webhook-receiver.js
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { verifySignature } from './verify-signature.js'

const { SECRET = '', PORT = '9099' } = process.env
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)

const server = createServer(async (request, response) => {
  const body = await text(request)
  const header = request.headers['x-millrace-signature']
  if (!verifySignature({ header, body, secrets: [SECRET] }))
    return response.writeHead(401).end('not signed with the secret')
  const { kind, title, text: words, alerts } = JSON.parse(body)
  // A message that comes twice has the same key.
  print({ key: request.headers['idempotency-key'], kind, title, text: words, alerts })
  response.end('taken')
})
server.listen(Number(PORT), '127.0.0.1', () => print({ listening: PORT }))
