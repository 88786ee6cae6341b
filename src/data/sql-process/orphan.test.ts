import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { describe, it } from 'node:test'
import { eventually } from '../../../test/support/eventually.ts'
import { openTestPlane } from '../testing/plane.ts'

const ENDLESS = 'SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range + b.range = -1'

if (process.argv[2] === 'server') await serve()
else test()

function test(): void {
  describe('the process of a query', () => {
    it('ends when the server is killed', { skip: process.platform !== 'linux' && 'needs /proc' }, async () => {
      const server = spawn(process.execPath, [import.meta.filename, 'server'], {
        stdio: ['ignore', 'pipe', 'inherit']
      })
      const [line] = (await once(server.stdout, 'data')) as [Buffer]
      const { pids, folder } = JSON.parse(line.toString()) as { pids: number[]; folder: string }
      server.kill('SIGKILL')
      await once(server, 'exit')
      try {
        assert.equal(pids.length, 2)
        await eventually(() => !pids.some(isRunning))
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    })
  })
}

/** Prints its processes as soon as one runs a query and one waits for the next. */
async function serve(): Promise<void> {
  const { rows, plane, folder } = await openTestPlane()
  await plane.query({ sql: 'FROM range(1000000)', relations: {} })
  rows(ENDLESS)
  const pids = await eventually(() => {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ')
    return children.length === 2 && children.map(Number)
  })
  process.stdout.write(JSON.stringify({ pids, folder }))
}

/** Whether a process runs: one that has ended and was not waited for (a zombie) does not. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
