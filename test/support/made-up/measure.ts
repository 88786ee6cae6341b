import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writeAreas } from './many.ts'

const ROUNDS = 9

interface Ready {
  readonly url: string
  readonly cpuMs: number
  readonly residentMb: number
}

/** A server with areas for tests only, and one without, each in a folder of its own. */
export class MadeUpAreas {
  readonly #folder = mkdtempSync(join(tmpdir(), 'millrace-areas-'))
  readonly #list: string

  constructor(count: number) {
    this.#list = pathToFileURL(writeAreas(join(this.#folder, 'areas'), count)).href
  }

  async withServer<T>(added: boolean, use: (ready: Ready) => Promise<T>): Promise<T> {
    const env = {
      ...process.env,
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATA_DIR: join(this.#folder, added ? 'with' : 'without'),
      NODE_COMPILE_CACHE: join(this.#folder, 'compiled'),
      ...(added && { ADDED: this.#list })
    }
    const script = join(import.meta.dirname, '../made-up-server.ts')
    const quickStart = join(import.meta.dirname, '../../../src/quick-start.js')
    const server = fork(script, { env, execArgv: ['--import', quickStart] })
    const exited = once(server, 'exit')
    try {
      const message = once(server, 'message')
      const [ready] = (await Promise.race([message, exited.then(() => assert.fail('it ended'))])) as [Ready]
      return await use(ready)
    } finally {
      server.kill('SIGTERM')
      await exited
    }
  }

  /** What the areas add to a start: the processor time as a ratio, and memory. */
  async cost(): Promise<{ ratio: number; moreMb: number }> {
    const measured = { with: [] as Ready[], without: [] as Ready[] }
    // The first round makes the databases, and compiles.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const kind of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
        const ready = await this.withServer(kind === 'with', async (found) => found)
        if (round > 0) measured[kind].push(ready)
      }
    }
    // Other load on the machine only adds to a figure, so the smallest one counts.
    const least = (of: Ready[], figure: 'cpuMs' | 'residentMb') => Math.min(...of.map((ready) => ready[figure]))
    return {
      ratio: least(measured.with, 'cpuMs') / least(measured.without, 'cpuMs'),
      moreMb: least(measured.with, 'residentMb') - least(measured.without, 'residentMb')
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true })
  }
}
