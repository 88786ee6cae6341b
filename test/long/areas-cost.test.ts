// Once: what areas cost that nobody uses.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { writeAreas } from '../support/made-up/many.ts'

const ADDED = 20
const ROUNDS = 9
const MAX_TIME = 1.05
const MAX_MB = 4

interface Ready {
  readonly url: string
  readonly cpuMs: number
  readonly residentMb: number
}

describe('areas that nobody uses', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-areas-'))
  after(() => rmSync(folder, { recursive: true }))
  const list = pathToFileURL(writeAreas(join(folder, 'areas'), ADDED)).href

  async function withServer<T>(added: boolean, use: (ready: Ready) => Promise<T>): Promise<T> {
    const env = {
      ...process.env,
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATA_DIR: join(folder, added ? 'with' : 'without'),
      NODE_COMPILE_CACHE: join(folder, 'compiled'),
      ...(added && { ADDED: list })
    }
    const script = join(import.meta.dirname, '../support/made-up-server.ts')
    const server = fork(script, { env, execArgv: ['--import', join(import.meta.dirname, '../../src/quick-start.js')] })
    const exited = once(server, 'exit')
    try {
      const [ready] = (await Promise.race([once(server, 'message'), exited.then(() => assert.fail('it ended'))])) as [
        Ready
      ]
      return await use(ready)
    } finally {
      server.kill('SIGTERM')
      await exited
    }
  }

  it(`cost next to nothing: ${ADDED} with 30 routes each`, async (context) => {
    const measured = { with: [] as Ready[], without: [] as Ready[] }
    // The first round makes the databases, and compiles.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const kind of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
        const ready = await withServer(kind === 'with', async (found) => found)
        if (round > 0) measured[kind].push(ready)
      }
    }
    // Whatever else the machine does adds to a figure and never takes from it.
    const least = (of: Ready[], figure: 'cpuMs' | 'residentMb') => Math.min(...of.map((ready) => ready[figure]))
    const ratio = least(measured.with, 'cpuMs') / least(measured.without, 'cpuMs')
    const moreMb = least(measured.with, 'residentMb') - least(measured.without, 'residentMb')
    context.diagnostic(`${ratio.toFixed(3)} of the time, ${moreMb.toFixed(1)} MB more`)
    assert.ok(ratio < MAX_TIME, `${ratio.toFixed(3)} of the processor time`)
    assert.ok(moreMb < MAX_MB, `${moreMb.toFixed(1)} MB more`)
  })

  it('are served when somebody does', () =>
    withServer(true, async ({ url }) => {
      assert.equal((await fetch(`${url}/api/made-up-7/route-3/x`)).status, 401)
      assert.equal((await fetch(`${url}/api/made-up-7/other`)).status, 404)
    }))
})
