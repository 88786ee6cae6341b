import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../../../test/support/free-port.ts'
import { missingPrograms } from '../../../../test/support/servers/installed.ts'
import { startProxy } from '../../../../test/support/servers/proxy.ts'
import { makeFolder, removeFolder } from '../../../../test/support/servers/service.ts'
import { startTlsFront } from '../../../../test/support/servers/tls-front.ts'
import type { Certificate } from '../../outbound/testing/certificate.ts'
import { driverContract } from '../testing/contract.ts'
import { fault, LONG_AGO, putFile, STREAM_UNDER_TEST } from '../testing/files.ts'
import { largeCsv } from '../testing/large-files.ts'
import { largeStreamSuite } from '../testing/large-streams.ts'

const ROWS = 25_000
const TOKEN = 'http-secret-1'

/** nginx, which gives files to who knows the token. */
async function start(content: string | Uint8Array) {
  const folder = makeFolder('drivers-http')
  const port = await freePort()
  const files = join(folder, 'files')
  mkdirSync(files)
  putFile(files, 'readings.csv', content, LONG_AGO)
  const block = `  server {
    listen 127.0.0.1:${port};
    root "${files}";
    location / { if ($http_authorization != "Bearer ${TOKEN}") { return 401; } }
    location /moved { return 301 http://127.0.0.1:1/; }
    location /secret { return 403; }
  }`
  let server = await startProxy(folder, block, port)
  const front = await startTlsFront(port)
  return {
    url: `http://127.0.0.1:${port}`,
    async restart() {
      await server.stop()
      rmSync(join(folder, 'proxy.pid'), { force: true })
      server = await startProxy(folder, block, port)
    },
    present(certificate: Certificate) {
      front.present(certificate)
      return { urls: [`https://localhost:${front.port}/readings.csv`] }
    },
    async stop() {
      await front.stop()
      await server.stop()
      removeFolder(folder)
    }
  }
}

driverContract('a file at an address as a source', {
  sourceId: 'http-file',
  missing: missingPrograms('nginx'),
  async start() {
    const lines = Array.from({ length: ROWS }, (_, i) => `${i + 1},"row ${i + 1}"`)
    const { url, present, stop, restart } = await start(`id,label\n${lines.join('\n')}\n`)
    return {
      config: { urls: [`${url}/readings.csv`], token: TOKEN },
      secrets: [TOKEN],
      steps: ['resolve', 'policy', 'connect', 'tls', 'authenticate', 'list', 'read'],
      wrong: {
        'a name that is none': fault({ urls: ['http://nowhere.invalid/a'] }, 'resolve', 'unknown_host', '/urls'),
        'a closed port': fault({ urls: ['http://127.0.0.1:1/a'] }, 'connect', 'unreachable', '/urls'),
        'encryption where there is none': fault({ urls: [url.replace('http', 'https')] }, 'tls', 'tls_failed', '/urls'),
        'a wrong token': fault({ token: 'wrong' }, 'authenticate', 'wrong_credentials', '/token'),
        'an address where nothing is': fault({ urls: [`${url}/absent`] }, 'list', 'not_found', '/urls'),
        'an address that has moved': fault({ urls: [`${url}/moved`] }, 'list', 'not_found', '/urls'),
        'an address that may not be read': fault({ urls: [`${url}/secret`] }, 'list', 'missing_permission', '/urls')
      },
      stream: {
        ...STREAM_UNDER_TEST,
        name: `${url}/readings.csv`,
        values: Array.from({ length: ROWS }, (_, i) => String(i + 1))
      },
      present,
      stop,
      restart
    }
  }
})

largeStreamSuite('a large file at an address', {
  sourceId: 'http-file',
  missing: missingPrograms('nginx'),
  async start() {
    const { url, stop, restart } = await start(largeCsv())
    const stream = `${url}/readings.csv`
    return { config: { urls: [stream], token: TOKEN }, stream, cursor: '_position', counted: 'id', stop, restart }
  }
})
