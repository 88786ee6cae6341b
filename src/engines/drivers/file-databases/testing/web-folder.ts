import { createReadStream, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

export interface WebFolder {
  readonly url: string
  /** Whether it says when files were changed. */
  tellsTimes: boolean
  /** Runs when the first bytes of a file were sent. */
  onSending: (() => void) | undefined
  /** How many files were sent. */
  sent: number
  stop(): Promise<void>
}

/** A web server that gives the files of a folder. */
export async function serveFolder(folder: string, port = 0): Promise<WebFolder> {
  const server = createServer((request, response) => {
    const path = join(folder, new URL(request.url ?? '/', 'http://localhost').pathname)
    if (!existsSync(path)) {
      response.writeHead(404).end()
      return
    }
    const { mtime, size } = statSync(path)
    const headers = { 'content-length': size, ...(web.tellsTimes && { 'last-modified': mtime.toUTCString() }) }
    response.writeHead(200, headers)
    if (request.method === 'HEAD') {
      response.end()
      return
    }
    web.sent += 1
    const content = createReadStream(path)
    content.once('data', () => web.onSending?.())
    content.pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const web: WebFolder = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tellsTimes: true,
    onSending: undefined,
    sent: 0,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
  return web
}
