import { createServer, request as send } from 'node:http'
import { listen } from '../../../outbound/testing/servers.ts'

/**
 * A proxy before the emulator, which knows copies only without the first segments of Google's paths, and no calls for
 * buckets: those appear on first use.
 */
export async function startEmulatorFront(emulatorPort: number) {
  const server = createServer((request, response) => {
    const { method, url = '', headers } = request
    if (/^\/storage\/v1\/b(\/[^/?]*)?(\?|$)/.test(url)) {
      request.resume()
      response.end('{}')
      return
    }
    const path = url.replace(/^\/storage\/v1(?=\/b\/)/, '')
    const forwarded = send({ host: '127.0.0.1', port: emulatorPort, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    request.on('error', () => forwarded.destroy())
    request.pipe(forwarded)
  })
  const { port } = await listen(server, {})
  return {
    port,
    async stop() {
      server.close()
      server.closeAllConnections()
    }
  }
}

export type EmulatorFront = Awaited<ReturnType<typeof startEmulatorFront>>
