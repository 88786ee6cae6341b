import { Agent, get } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Asks over one connection. `fetch` takes up to 40 ms of the processor for each of its first answers, on as many processors as
 * there are: that would be measured with the questions.
 */
export function openClient(port: number, token: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { authorization: `Bearer ${token}` }
  return {
    get: (path: string) =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const request = get({ host: '127.0.0.1', port, path, agent, headers }, (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (piece: string) => {
            text += piece
          })
          response.on('end', () => resolve({ status: response.statusCode as number, text }))
          response.on('error', reject)
        })
        request.on('error', reject)
      }),
    close: () => agent.destroy()
  }
}

setFlagsFromString('--expose-gc')

/** Clears away what earlier answers took in this process, before a question rather than within it. */
export const clearMemory = runInNewContext('gc') as () => void
